"""Pages to look at: self-contained HTML, everything in it escaped, nothing loaded from elsewhere."""

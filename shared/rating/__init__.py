"""People's ratings of pictures that models made, by the protocol of LEGO-Puzzles (section 4.3, Table 3): App and IF, 0 to 3.

`collecting.py` finds the pictures of runs, `sheet.py` puts them on one blind page, `judging.py` has a vision model rate the same, `reading.py` reads
ratings back, `results.py` adds them up and says how far the raters agree.
"""

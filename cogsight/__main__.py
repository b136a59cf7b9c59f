"""`python -m cogsight` is the `cogsight` command."""

from cogsight.shared.cli import main

if __name__ == "__main__":
    main()

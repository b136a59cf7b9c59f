"""What the commands of `cogsight` do, one module each; `shared/cli.py` only reads their options."""

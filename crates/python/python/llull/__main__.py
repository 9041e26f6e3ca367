"""The command, as `python -m llull`."""

from llull._command import main

if __name__ == "__main__":
    main()

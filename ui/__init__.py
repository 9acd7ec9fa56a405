"""The window: the drawing of the table, prompts, wizards, reports. Only `ui.app` assembles the program."""

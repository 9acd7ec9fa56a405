"""The window: the drawing of the table, prompts, wizards, reports. `ui.assembly` ties it to other rooms."""

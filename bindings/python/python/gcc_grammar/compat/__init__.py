"""Other engines' Python interfaces, implemented by gcc-grammar: change the import, and keep the program."""

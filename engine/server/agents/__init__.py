"""Tools by which an agent asks the library, over the Model Context Protocol: few, with short answers in pages."""

"""What is asked of a library, in plain values: the options of the command line and the fields of the server's requests.

A request resolves what it names (documents, collections, imported files), then runs; a module holds a topic.
"""

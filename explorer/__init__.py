"""What a person sees; it imports the engine, and the engine never imports it."""

"""Plain text and Markdown, and what all text formats share: headings, outline, reference lists."""

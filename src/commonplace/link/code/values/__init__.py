"""What expressions may stand for: values followed from where they are made to where they go."""

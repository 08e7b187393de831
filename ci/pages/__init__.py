"""What is written from the C++ runtime's headers, its compile-fail tests, and blueprints."""

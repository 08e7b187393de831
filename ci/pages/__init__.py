"""What is written from the headers of the C++ runtime and its compile-fail tests."""

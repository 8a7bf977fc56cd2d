"""The page: what people see in a browser, over the same use cases as the API."""

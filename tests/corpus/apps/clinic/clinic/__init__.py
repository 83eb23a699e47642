"""A small clinic: patients, visits, invoices."""

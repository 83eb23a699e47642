CREATE TABLE members (
    id         bigserial PRIMARY KEY,
    card_no    text        NOT NULL UNIQUE,
    last_name  text        NOT NULL,
    email      text,
    joined_on  date        NOT NULL DEFAULT current_date
);

CREATE TABLE books (
    id          bigserial PRIMARY KEY,
    isbn        text NOT NULL,
    title       text NOT NULL,
    shelf_mark  text
);

CREATE TABLE loans (
    id          bigserial PRIMARY KEY,
    member_id   bigint NOT NULL REFERENCES members (id),
    book_id     bigint NOT NULL REFERENCES books (id),
    lent_on     date   NOT NULL,
    due_on      date   NOT NULL,
    returned_on date
);

CREATE TABLE fines (
    id        bigserial PRIMARY KEY,
    loan_id   bigint  NOT NULL REFERENCES loans (id),
    amount    numeric(8, 2) NOT NULL,
    paid_on   date
);

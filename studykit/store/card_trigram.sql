CREATE VIRTUAL TABLE card_trigram USING fts5(
    text, content = 'card_text', content_rowid = 'number', tokenize = 'trigram', detail = 'none'
);

INSERT INTO card_trigram (card_trigram) VALUES ('rebuild');

CREATE TRIGGER card_text_added AFTER INSERT ON card_text BEGIN
    INSERT INTO card_trigram (rowid, text) VALUES (new.number, new.text);
END;

CREATE TRIGGER card_text_removed AFTER DELETE ON card_text BEGIN
    INSERT INTO card_trigram (card_trigram, rowid, text) VALUES ('delete', old.number, old.text);
END;

CREATE TRIGGER card_text_changed AFTER UPDATE ON card_text BEGIN
    INSERT INTO card_trigram (card_trigram, rowid, text) VALUES ('delete', old.number, old.text);
    INSERT INTO card_trigram (rowid, text) VALUES (new.number, new.text);
END;

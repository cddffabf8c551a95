package io.anabranch.rules.syntax.qualifier;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.syntax.qualifier.SchemaMention.Reading;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All names of a statement that are, or may be, those of schemas: in front of a point, and where
 * one stands on its own, as in {@code SHOW TABLES FROM shop}.
 *
 * <p>Found by tokens, in statements of any kind and in the bodies of stored programs; texts that a
 * program makes itself are out of reach.
 */
public final class SchemaMentions {

  /** What may stand between the word DATABASE and the name. */
  private static final Set<String> CONDITION = Set.of("IF", "NOT", "EXISTS");

  /** What follows the word DATABASE where the current one is meant. */
  private static final Set<String> OPTIONS =
      Set.of("CHARACTER", "CHARSET", "COLLATE", "DEFAULT", "ENCRYPTION", "READ", "COMMENT");

  /** Behind SHOW, in front of FROM and a schema. */
  private static final Set<String> LISTED = Set.of("TABLES", "TRIGGERS", "EVENTS", "STATUS");

  private static final Set<String> OF_TABLE =
      Set.of("COLUMNS", "FIELDS", "INDEX", "INDEXES", "KEYS");

  private static final Set<String> SHOW_MODIFIERS = Set.of("FULL", "EXTENDED", "OPEN", "TABLE");

  private final BareTokens tokens;
  private final NamePlace places;
  private final Set<String> alone = new HashSet<>();
  private final List<SchemaMention> found = new ArrayList<>();

  /** How many words of {@link #CONDITION} stand directly in front of the name. */
  private int conditions;

  private SchemaMentions(SqlTokens tokens) {
    this.tokens = new BareTokens(tokens);
    this.places = new NamePlace(this.tokens, grants(tokens));
  }

  private static boolean grants(SqlTokens tokens) {
    return tokens
        .all()
        .has(
            token ->
                tokens.isAnyWord(token, "GRANT", "REVOKE")
                    && !tokens.isPunctuation(token - 1, '.'));
  }

  /** In the order of the text. */
  public static List<SchemaMention> of(SqlTokens tokens) {
    var mentions = new SchemaMentions(tokens);
    mentions.find();
    return List.copyOf(mentions.found);
  }

  private void find() {
    List<Integer> names = tokens.names();
    for (int i : names) {
      if (!isInFrontOfPoint(i)) {
        alone.add(tokens.name(i));
      }
    }
    for (int i : names) {
      conditions = tokens.isOneOf(i - 1, CONDITION) ? conditions + 1 : 0;
      if (tokens.isPunctuation(i - 1, '.')) {
        continue;
      }
      if (isInFrontOfPoint(i)) {
        add(i, places.of(i));
      } else if (isBare(i)) {
        add(i, Reading.SCHEMA);
      }
    }
  }

  private void add(int i, Reading reading) {
    found.add(new SchemaMention(tokens.token(i), reading, alone.contains(tokens.name(i))));
  }

  private boolean isInFrontOfPoint(int i) {
    return tokens.isPunctuation(i + 1, '.')
        && (tokens.isName(i + 2) || tokens.isOperator(i + 2, "*"));
  }

  // ---------------------------------------------------------------- names on their own

  private boolean isBare(int i) {
    if (tokens.isWord(i - 1, "USE")) {
      return i == 1;
    }
    return isBehindDatabase(i) || isShown(i);
  }

  /** {@code DROP DATABASE IF EXISTS shop}, {@code EXPLAIN FOR SCHEMA shop SELECT …}. */
  private boolean isBehindDatabase(int i) {
    int noun = i - 1 - conditions;
    boolean isNoun = tokens.isWord(noun, "DATABASE") || tokens.isWord(noun, "SCHEMA");
    boolean isOption =
        tokens.isWord(noun - 1, "ALTER") && noun == i - 1 && tokens.isOneOf(i, OPTIONS);
    return isNoun && !tokens.isOneOf(i, CONDITION) && !isOption;
  }

  /** {@code SHOW FULL TABLES FROM shop}, {@code SHOW COLUMNS FROM t IN shop}. */
  private boolean isShown(int i) {
    if (!isFrom(i - 1)) {
      return false;
    }
    int subject = i - 2;
    if (tokens.isOneOf(subject, LISTED)) {
      return isBehindShow(subject);
    }
    // the table, which may be qualified, and the FROM in front of it
    int table = tokens.isPunctuation(subject - 1, '.') ? subject - 2 : subject;
    return isFrom(table - 1) && tokens.isOneOf(table - 2, OF_TABLE) && isBehindShow(table - 2);
  }

  private boolean isFrom(int i) {
    return tokens.isWord(i, "FROM") || tokens.isWord(i, "IN");
  }

  private boolean isBehindShow(int subject) {
    int show = tokens.to(subject).findLast(each -> !tokens.isOneOf(each, SHOW_MODIFIERS));
    return tokens.isWord(show, "SHOW");
  }
}

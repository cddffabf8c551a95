package io.anabranch.frontend.session;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.frontend.session.prepared.Reading;
import io.anabranch.protocol.type.Collation;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.StatementCharset;
import io.anabranch.rules.task.PlanScope;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * How a session's statements are read and its results are written: its variables, and what they
 * mean for character sets and the lexer. Used by whoever uses the session.
 */
public final class SessionLanguage {

  private final Session session;
  private LexerMode lexerMode = LexerMode.DEFAULT;
  private StatementCharset charset = StatementCharset.of(StandardCharsets.UTF_8);
  private SessionSettings settings = SessionSettings.INITIAL;
  private int resultCollation;
  private Reading reading = new Reading(settings.reading(), charset, lexerMode);

  SessionLanguage(Session session) {
    this.session = session;
  }

  SessionSettings settings() {
    return settings;
  }

  void settings(SessionSettings changed) {
    boolean decides = !deciding(settings).equals(deciding(changed));
    settings = changed;
    if (decides) {
      session.database().rescope();
    }
  }

  /** Variables that decide how statements are planned, by name. */
  Map<String, String> deciding() {
    return deciding(settings);
  }

  private static Map<String, String> deciding(SessionSettings of) {
    var deciding = new HashMap<String, String>();
    for (String variable : PlanScope.DECIDING) {
      String value = of.variables().get(variable);
      if (value != null) {
        deciding.put(variable, value);
      }
    }
    return deciding;
  }

  /** How texts are read from now on. */
  public Reading reading() {
    Reading known = reading;
    if (!known.settings().equals(settings.reading())
        || !known.charset().equals(charset)
        || !known.mode().equals(lexerMode)) {
      known = new Reading(settings.reading(), charset, lexerMode);
      reading = known;
    }
    return known;
  }

  Charset charset() {
    return charset;
  }

  LexerMode lexerMode() {
    return lexerMode;
  }

  /** Id of the collation that strings of the proxy's own results are in. */
  public int resultCollation() {
    String set = settings.variables().get("character_set_results");
    Collation ofResults = set == null ? null : Collation.defaultOf(set.replace("'", ""));
    return ofResults == null ? resultCollation : ofResults(ofResults);
  }

  private int ofResults(Collation collation) {
    boolean isOther =
        collation.id() == Collation.UTF8MB4_GENERAL_CI && !session.deployment().isMariaDb();
    return isOther ? Collation.UTF8MB4_0900_AI_CI : collation.id();
  }

  /**
   * SET NAMES: results are in the character set's own collation, on MySQL in the one that is said.
   *
   * @param isNamed whether the collation was said; the databases' own is taken if it was not
   */
  public void names(Collation collation, boolean isNamed) {
    settings = settings.withCollation(isNamed ? collation.id() : -collation.id());
    Charset known = collation.charset();
    clientCharset(known == null ? StandardCharsets.ISO_8859_1 : known);
    Collation ofResults = Collation.defaultOf(collation.characterSet());
    boolean isSaid = isNamed && !session.deployment().isMariaDb();
    resultCollation = ofResults == null || isSaid ? collation.id() : ofResults(ofResults);
  }

  /** The handshake's: what the client sends and gets is in this collation's character set. */
  void collation(int collationId) {
    Collation collation = Collation.byId(collationId);
    Charset known = collation == null ? null : collation.charset();
    if (collation == null || known == null) {
      settings = settings.withCollation(Collation.UTF8MB4_GENERAL_CI);
      resultCollation = Collation.UTF8MB4_GENERAL_CI;
      clientCharset(StandardCharsets.UTF_8);
    } else {
      settings = settings.withCollation(collationId);
      resultCollation = collationId;
      clientCharset(known);
    }
  }

  /** The character set of statements alone. */
  public void clientCharset(Charset changed) {
    charset = StatementCharset.of(changed);
    mode(lexerMode.ansiQuotes(), lexerMode.noBackslashEscapes());
  }

  /** What {@code sql_mode} means for the lexer. */
  public void mode(boolean ansiQuotes, boolean noBackslashEscapes) {
    lexerMode = LexerMode.of(charset, ansiQuotes, noBackslashEscapes);
    session.database().rescope();
  }

  /** CLIENT_IGNORE_SPACE of the handshake, which is a part of the server's {@code sql_mode}. */
  void ignoreSpace() {
    settings = settings.with("sql_mode", "CONCAT(@@global.sql_mode,',IGNORE_SPACE')");
  }

  /**
   * What a SET may change of it.
   *
   * @param mode of the lexer
   */
  public record Said(
      SessionSettings settings, StatementCharset charset, LexerMode mode, int resultCollation) {}

  /** As it is now. */
  public Said said() {
    return new Said(settings, charset, lexerMode, resultCollation);
  }

  /** As it was. */
  public void restore(Said former) {
    settings = former.settings;
    charset = former.charset;
    lexerMode = former.mode;
    resultCollation = former.resultCollation;
    session.database().rescope();
  }

  /** As after the handshake. */
  void reset(int initialCollation) {
    settings = SessionSettings.INITIAL;
    lexerMode = LexerMode.DEFAULT;
    collation(initialCollation);
  }
}

package io.anabranch.frontend.session;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.SettingsReplay;
import io.anabranch.backend.lease.SqlModes;
import io.anabranch.frontend.session.prepared.Reading;
import io.anabranch.protocol.type.Collation;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.StatementCharset;
import io.anabranch.rules.task.PlanScope;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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

  /** They alone decide how texts are read. */
  void settings(SessionSettings changed) {
    boolean decides = !deciding(settings).equals(deciding(changed));
    boolean reads = !settings.reading().equals(changed.reading());
    settings = changed;
    if (reads) {
      read();
    }
    if (decides || reads) {
      session.database().rescope();
    }
  }

  private void read() {
    List<String> modes = settings.modes();
    charset = StatementCharset.of(settings.clientCharset());
    lexerMode = LexerMode.of(charset, SqlModes.quoteNames(modes), SqlModes.keepBackslashes(modes));
  }

  /**
   * Nobody has settings by which servers read texts otherwise than the proxy does.
   *
   * @throws RefusedException for a client's character set that Java lacks, and for modes of {@code
   *     sql_mode} that the lexer does not know
   */
  public static void requireRead(SessionSettings settings) {
    String characterSet = settings.clientCharacterSet();
    Collation client = Collation.defaultOf(characterSet);
    if (client == null || client.charset() == null || SettingsReplay.isWide(characterSet)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "the character set " + characterSet + " for statements", "SET NAMES utf8mb4");
    }
    for (String mode : settings.modes()) {
      boolean isIgnoringSpace = mode.startsWith("CONCAT(@@GLOBAL.SQL_MODE") || mode.endsWith(")");
      if (!isIgnoringSpace && !SqlModes.isRead(mode)) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "sql_mode " + mode, "leave it out: by it servers read statements otherwise");
      }
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
    var variables = new TreeMap<>(settings.variables());
    variables.keySet().removeIf(SettingsReplay::isCharacterSet);
    settings(settings.with(variables).withCollation(isNamed ? collation.id() : -collation.id()));
    Collation ofResults = Collation.defaultOf(collation.characterSet());
    boolean isSaid = isNamed && !session.deployment().isMariaDb();
    resultCollation = ofResults == null || isSaid ? collation.id() : ofResults(ofResults);
  }

  /** The handshake's: what the client sends and gets is in this collation's character set. */
  void collation(int collationId) {
    Collation collation = Collation.byId(collationId);
    boolean isKnown =
        collation != null
            && collation.charset() != null
            && !SettingsReplay.isWide(collation.characterSet());
    int id = isKnown ? collationId : Collation.UTF8MB4_GENERAL_CI;
    settings(settings.withCollation(id));
    resultCollation = id;
  }

  /** CLIENT_IGNORE_SPACE of the handshake, which is a part of the server's {@code sql_mode}. */
  void ignoreSpace() {
    settings(settings.with("sql_mode", "CONCAT(@@global.sql_mode,',IGNORE_SPACE')"));
  }

  /** What a SET may change of it. */
  public record Said(SessionSettings settings, int resultCollation) {}

  /** As it is now. */
  public Said said() {
    return new Said(settings, resultCollation);
  }

  /** As it was. */
  public void restore(Said former) {
    settings(former.settings);
    resultCollation = former.resultCollation;
  }

  /** As after the handshake. */
  void reset(int initialCollation) {
    settings(SessionSettings.INITIAL);
    collation(initialCollation);
  }
}

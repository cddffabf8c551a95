package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.rewrite.Piece;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A leg of a UNION that is not the first one: the optimizer hints that hold for a statement stand
 * in the first SELECT alone. MySQL heeds them there for the whole, and warns of others (3125,
 * 3126).
 *
 * @see <a href="https://dev.mysql.com/doc/refman/8.4/en/optimizer-hints.html">Optimizer Hints</a>
 */
final class FollowingLeg {

  private static final Pattern HINTED =
      Pattern.compile(
          "(\\s*SELECT\\s*/\\*\\+)(.*?)(\\*/.*)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  /** Without a way back: a hint may be as long as a statement. */
  private static final Pattern OF_STATEMENT =
      Pattern.compile(
          "\\b(?:MAX_EXECUTION_TIME|SET_VAR|RESOURCE_GROUP|QB_NAME)\\s*\\("
              + "(?:[^()'\"]++|'[^']*+'|\"[^\"]*+\")*+\\)",
          Pattern.CASE_INSENSITIVE);

  private FollowingLeg() {}

  /** The same leg without them. */
  static List<Piece> of(List<Piece> leg) {
    if (!(leg.getFirst() instanceof Piece.Text(byte[] bytes))) {
      return leg;
    }
    Matcher hinted = HINTED.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
    if (!hinted.matches()) {
      return leg;
    }
    String hints = OF_STATEMENT.matcher(hinted.group(2)).replaceAll("");
    String text = hinted.group(1) + hints + hinted.group(3);
    if (hints.isBlank()) {
      int open = hinted.group(1).indexOf("/*+");
      text = hinted.group(1).substring(0, open) + hinted.group(3).substring(2);
    }
    var following = new ArrayList<>(leg);
    following.set(0, new Piece.Text(text.getBytes(StandardCharsets.ISO_8859_1)));
    return List.copyOf(following);
  }
}

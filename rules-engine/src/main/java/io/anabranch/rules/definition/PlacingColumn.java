package io.anabranch.rules.definition;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether a sharding column may become what an ALTER TABLE says without its rows belonging
 * elsewhere afterwards: every value has to stay the value that it was placed by.
 */
public final class PlacingColumn {

  private static final Pattern LENGTH = Pattern.compile("\\(\\s*(\\d{1,9})\\s*\\)");

  private static final List<String> INTEGERS =
      List.of("tinyint", "smallint", "mediumint", "int", "bigint");

  private PlacingColumn() {}

  /**
   * @param type as the catalogue has it, like {@code int(11) unsigned}
   * @param collation of texts
   * @param definition what is to follow the column's name, words apart by one blank
   */
  public static boolean keepsValues(String type, @Nullable String collation, String definition) {
    String wanted = " " + definition.toLowerCase(Locale.ROOT) + " ";
    if (wanted.contains(" as ( ") || wanted.contains(" generated ")) {
      return false;
    }
    String old = type.toLowerCase(Locale.ROOT);
    String oldWord = word(old);
    String newWord = word(definition.toLowerCase(Locale.ROOT));
    int oldRank = INTEGERS.indexOf(oldWord);
    int newRank = INTEGERS.indexOf(newWord);
    if (oldRank >= 0 || newRank >= 0) {
      boolean oldUnsigned = old.contains("unsigned") || old.contains("zerofill");
      boolean newUnsigned = wanted.contains(" unsigned ") || wanted.contains(" zerofill ");
      boolean sameSign = oldUnsigned == newUnsigned;
      boolean wider = oldUnsigned && !newUnsigned && newRank > oldRank;
      return oldRank >= 0 && (sameSign ? newRank >= oldRank : wider);
    }
    if (!oldWord.equals(newWord) || !keepsCollation(collation, wanted)) {
      return false;
    }
    boolean isText = oldWord.equals("varchar") || oldWord.equals("char");
    return isText
        ? length(definition) >= length(old)
        : withoutBlanks(definition).startsWith(withoutBlanks(old));
  }

  private static String word(String type) {
    String word = type.strip().split("[ (]", 2)[0];
    return switch (word) {
      case "integer" -> "int";
      case "character" -> "char";
      default -> word;
    };
  }

  private static boolean keepsCollation(@Nullable String collation, String wanted) {
    if (collation == null) {
      return true;
    }
    int named = wanted.indexOf(" collate ");
    if (named >= 0) {
      return wanted.startsWith(collation.toLowerCase(Locale.ROOT) + " ", named + 9);
    }
    return !wanted.contains(" character set ")
        && !wanted.contains(" charset ")
        && !wanted.contains(" binary ")
        && !wanted.contains(" ascii ")
        && !wanted.contains(" unicode ");
  }

  private static int length(String type) {
    Matcher length = LENGTH.matcher(type);
    return length.find() ? Integer.parseInt(length.group(1)) : 1;
  }

  private static String withoutBlanks(String text) {
    return text.toLowerCase(Locale.ROOT).replace(" ", "");
  }
}

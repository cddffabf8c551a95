package io.anabranch.protocol.type;

import static java.util.Map.entry;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The collations of MySQL and MariaDB, read once from {@code collations.tsv}. */
final class CollationTable {

  /**
   * MySQL's character sets that Java has too. Ids of Java's charsets, all in {@code jdk.charsets}.
   */
  private static final Map<String, String> CHARSETS =
      Map.ofEntries(
          entry("ascii", "US-ASCII"),
          entry("big5", "Big5"),
          // Bytes as they are: the only charset that gives them back.
          entry("binary", "ISO-8859-1"),
          entry("cp1250", "windows-1250"),
          entry("cp1251", "windows-1251"),
          entry("cp1256", "windows-1256"),
          entry("cp1257", "windows-1257"),
          entry("cp850", "IBM850"),
          entry("cp852", "IBM852"),
          entry("cp866", "IBM866"),
          entry("cp932", "windows-31j"),
          entry("eucjpms", "x-eucJP-Open"),
          entry("euckr", "EUC-KR"),
          entry("gb18030", "GB18030"),
          entry("gb2312", "GB2312"),
          entry("gbk", "GBK"),
          entry("greek", "ISO-8859-7"),
          entry("hebrew", "ISO-8859-8"),
          entry("koi8r", "KOI8-R"),
          entry("koi8u", "KOI8-U"),
          // Despite its name.
          entry("latin1", "windows-1252"),
          entry("latin2", "ISO-8859-2"),
          entry("latin5", "ISO-8859-9"),
          entry("latin7", "ISO-8859-13"),
          entry("macce", "x-MacCentralEurope"),
          entry("macroman", "x-MacRoman"),
          entry("sjis", "Shift_JIS"),
          entry("tis620", "TIS-620"),
          entry("ucs2", "UTF-16BE"),
          entry("ujis", "EUC-JP"),
          entry("utf16", "UTF-16BE"),
          entry("utf16le", "UTF-16LE"),
          entry("utf32", "UTF-32BE"),
          entry("utf8mb3", "UTF-8"),
          entry("utf8mb4", "UTF-8"));

  private static final Map<Integer, Collation> BY_ID = load();
  private static final Map<String, Collation> BY_NAME = new HashMap<>();
  private static final Map<String, Collation> DEFAULTS = new HashMap<>();

  static {
    for (Collation collation : BY_ID.values()) {
      BY_NAME.put(collation.name(), collation);
      if (collation.isDefault()) {
        DEFAULTS.put(collation.characterSet(), collation);
      }
    }
  }

  private CollationTable() {}

  static @Nullable Collation byId(int id) {
    return BY_ID.get(id);
  }

  static @Nullable Collation byName(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    Collation collation = BY_NAME.get(lower);
    if (collation == null && lower.startsWith("utf8_")) {
      collation = BY_NAME.get("utf8mb3_" + lower.substring("utf8_".length()));
    }
    return collation;
  }

  static @Nullable Collation defaultOf(String characterSet) {
    return DEFAULTS.get(canonical(characterSet));
  }

  static @Nullable Charset charset(String characterSet) {
    String name = CHARSETS.get(canonical(characterSet));
    return name == null || !Charset.isSupported(name) ? null : Charset.forName(name);
  }

  private static String canonical(String characterSet) {
    String lower = characterSet.toLowerCase(Locale.ROOT);
    return lower.equals("utf8") ? "utf8mb3" : lower;
  }

  private static Map<Integer, Collation> load() {
    var byId = new HashMap<Integer, Collation>();
    try (InputStream resource = CollationTable.class.getResourceAsStream("collations.tsv")) {
      if (resource == null) {
        throw new IllegalStateException("collations.tsv is missing");
      }
      var lines = new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.startsWith("#")) {
          Collation collation = parse(line);
          byId.put(collation.id(), collation);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Map.copyOf(byId);
  }

  private static Collation parse(String line) {
    int name = line.indexOf('\t') + 1;
    int characterSet = line.indexOf('\t', name) + 1;
    int end = line.indexOf('\t', characterSet);
    return new Collation(
        Integer.parseInt(line, 0, name - 1, 10),
        line.substring(name, characterSet - 1),
        end < 0 ? line.substring(characterSet) : line.substring(characterSet, end),
        end >= 0);
  }
}

package io.anabranch.backend.execute.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.file.FileFormat;
import io.anabranch.rules.value.FileCharacters;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files as the READ_INFO of servers cuts them. */
class FileLinesTest {

  private static List<String> read(String charset, char enclosing, char escape, String text) {
    var format =
        new FileFormat(
            null,
            new byte[] {','},
            enclosing == ' ' ? -1 : enclosing,
            escape == ' ' ? -1 : escape,
            new byte[0],
            new byte[] {'\n'},
            0,
            new int[] {0, 1});
    Iterator<byte[]> chunks = List.of(text.getBytes(StandardCharsets.ISO_8859_1)).iterator();
    var lines =
        new FileLines(
            format,
            new FileCharacters(charset),
            () -> chunks.hasNext() ? chunks.next() : null,
            StatementMemory.UNLIMITED);
    var all = new ArrayList<String>();
    for (List<FileLines.Field> line = lines.next(2); line != null; line = lines.next(2)) {
      all.add(String.join("|", line.stream().map(FileLinesTest::shown).toList()));
    }
    return all;
  }

  private static String shown(FileLines.Field field) {
    byte[] bytes = field.bytes();
    return bytes == null ? "-" : new String(bytes, StandardCharsets.ISO_8859_1).replace('\n', '$');
  }

  private static List<String> lines(String shown) {
    return List.of(shown.split("/", -1));
  }

  /** A dollar is the end of a line. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "\"fie\"\"ld1\",\"x\"$; fie\"ld1|x",
        "\"a\"\"n\",\"\"\"N\"$; a\"n|\"N",
        "\"say \"\"hi\"\"\",\"2\"$\"b\",\"c\"$; say \"hi\"|2/b|c",
        "\"two$lines\",\"\"$; two$lines|",
        "ab\"cd,ef\"\"gh$; ab\"cd|ef\"gh",
        "NULL,\"NULL\"$; -|NULL",
        "\"1\",\"2\"; 1|\"2\""
      })
  void theEnclosingCharacterMayEscapeItselfOnly(String text, String rows) {
    assertThat(read("utf8mb4", '"', '"', text.replace('$', '\n'))).isEqualTo(lines(rows));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "\"\\Network\\share\",\"\\N\"$; Networkshare|-",
        "\\Network,\\N$; Network|-",
        "\\NULL,x$; -|x",
        "\"\\NULL\",x$; NULL|x",
        "1,$2,; 1|/2",
        "1,\"open; 1|\"open",
        "1,2\\; 1|2\\",
        "\"a\"\"b\",\"c\"d\"$; a\"b|c\"d"
      })
  void nullStandsAlone(String text, String rows) {
    assertThat(read("utf8mb4", '"', '\\', text.replace('$', '\n'))).isEqualTo(lines(rows));
  }

  /** The second byte of a character is no escape, no separator and no quote. */
  @ParameterizedTest
  @CsvSource({"gbk, \u00d5", "gb18030, \u00d5", "big5, \u00a5", "sjis, \u0095", "cp932, \u0095"})
  void charactersOfTwoBytesAreWhole(String charset, String first) {
    String both = first + "\\";
    assertThat(read(charset, ' ', '\\', both + "," + both + "\n" + both + ",x,left" + both + "\n"))
        .containsExactly(both + "|" + both, both + "|x|-");
    assertThat(read("latin1", ' ', '\\', both + ",x\n")).containsExactly(first + ",x");
    assertThatThrownBy(() -> read(charset, ' ', '\\', "\\" + both + ",x\n"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("escaped character of two bytes");
  }

  @Test
  void theNameOfACharacterSetIsOneOfServers() {
    String injected = "utf8mb4 ''),(7,(SELECT user FROM mysql.user)) -- ";
    for (String name : List.of(injected, "nothing", "", "utf8mb4'", "latin1 x")) {
      assertThatThrownBy(() -> new FileCharacters(name))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("Unknown character set");
    }
    assertThatThrownBy(() -> new FileCharacters("UTF16"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("utf16");
    assertThat(new FileCharacters("UTF8mb4").name()).isEqualTo("utf8mb4");
  }
}

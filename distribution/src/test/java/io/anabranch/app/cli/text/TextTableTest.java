package io.anabranch.app.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class TextTableTest {

  private static String printed(Consumer<PrintWriter> printing) {
    var text = new StringWriter();
    printing.accept(new PrintWriter(text, true));
    return text.toString().replace("\r", "");
  }

  private static TextTable table() {
    var table = new TextTable(List.of("id", "plan"));
    table.add(List.of("1", "route\n  ds_0"));
    table.add(Arrays.asList(null, "a\tb"));
    return table;
  }

  @Test
  void linesOfACellStayInItsColumn() {
    assertThat(printed(table()::print))
        .isEqualTo(
            """
            +------+--------+
            | id   | plan   |
            +------+--------+
            | 1    | route  |
            |      |   ds_0 |
            | NULL | a\tb    |
            +------+--------+
            """);
  }

  @Test
  void tabsAreForPrograms() {
    assertThat(printed(table()::printTabs)).isEqualTo("id\tplan\n1\troute\\n  ds_0\nNULL\ta\\tb\n");
  }
}

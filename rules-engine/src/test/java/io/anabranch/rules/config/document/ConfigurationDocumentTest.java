package io.anabranch.rules.config.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.config.document.DocumentPart.Scalar;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of a file leave all else as it is. */
class ConfigurationDocumentTest {

  private static final String FILE =
      """
      # the shop
      databaseName: shop

      dataSources:
        ds_0: { url: "jdbc:mysql://h/a", username: root, password: x }  # first
        ds_1:
          url: jdbc:mysql://h/b
          username: root # who
          password: "p#1"

      # rules begin
      rules:
      - !SHARDING
        # tables
        tables:
          t_order:
            actualDataNodes: ds_${0..1}.t_order
        # the end of tables
      - !BROADCAST
        tables: [ t_a, t_b ]
      - !SINGLE
        tables:
        - ds_0.t_c # c
        # in between
        - ds_0.t_d
      """;

  private static ConfigurationDocument file(String text) {
    return ConfigurationDocument.of("database-shop.yaml", text);
  }

  private static Mapping mapping(String... keysAndValues) {
    var entries = new LinkedHashMap<String, DocumentPart>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      entries.put(keysAndValues[i], new Scalar("", keysAndValues[i + 1]));
    }
    return new Mapping("", entries);
  }

  private static String replaced(String from, String to) {
    assertThat(FILE).contains(from);
    return FILE.replace(from, to);
  }

  @Test
  void valuesAreReplacedWhereTheyStand() {
    assertThat(file(FILE).with("new's", "dataSources", "ds_0", "password").text())
        .isEqualTo(replaced("password: x }", "password: 'new''s' }"));
    assertThat(file(FILE).with("me", "dataSources", "ds_1", "username").text())
        .isEqualTo(replaced("username: root # who", "username: me # who"));
    assertThat(file(FILE).with("x", "dataSources", "ds_0", "password").text()).isEqualTo(FILE);
  }

  @Test
  void entriesAreAddedBehindTheLast() {
    assertThat(file(FILE).with("5", "dataSources", "ds_0", "maxPoolSize").text())
        .isEqualTo(replaced("password: x }", "password: x, maxPoolSize: 5 }"));
    assertThat(file(FILE).with(mapping("url", "u:v", "a", ""), "dataSources", "ds_2").text())
        .isEqualTo(replaced("\"p#1\"\n", "\"p#1\"\n  ds_2: { url: 'u:v', a: '' }\n"));
    assertThat(file(FILE).with("2", "rules", "!SHARDING", "tables", "t_new", "x", "y").text())
        .isEqualTo(
            replaced("ds_${0..1}.t_order\n", "ds_${0..1}.t_order\n    t_new: { x: { y: 2 } }\n"));
    assertThat(file(FILE).with("ds_0", "rules", "!SINGLE", "defaultDataSource").text())
        .isEqualTo(FILE + "  defaultDataSource: ds_0\n");
    assertThat(file(FILE).with("ds_0", "rules", "!OTHER", "a").text())
        .isEqualTo(FILE + "- !OTHER\n  a: ds_0\n");
  }

  @Test
  void listsKeepWhatStays() {
    assertThat(file(FILE).withList(List.of("t_b", "t_c"), "rules", "!BROADCAST", "tables").text())
        .isEqualTo(replaced("[ t_a, t_b ]", "[ t_b, t_c ]"));
    assertThat(file(FILE).withList(List.of("ds_0.t_d", "*.*"), "rules", "!SINGLE", "tables").text())
        .isEqualTo(replaced("  - ds_0.t_c # c\n", "") + "  - '*.*'\n");
  }

  @Test
  void whatIsEmptyThenGoesToo() {
    assertThat(file(FILE).without("dataSources", "ds_0", "username").text())
        .isEqualTo(replaced(" username: root, password", " password"));
    assertThat(file(FILE).without("dataSources", "ds_1").text())
        .isEqualTo(
            replaced(
                "  ds_1:\n    url: jdbc:mysql://h/b\n    username: root # who\n    password: \"p#1\"\n",
                ""));
    assertThat(file(FILE).without("rules", "!SHARDING", "tables", "t_order").text())
        .doesNotContain("!SHARDING")
        .contains("# rules begin\nrules:\n")
        .contains("- !BROADCAST");
    assertThat(file(FILE).withList(List.of(), "rules", "!BROADCAST", "tables").text())
        .isEqualTo(replaced("- !BROADCAST\n  tables: [ t_a, t_b ]\n", ""));
    assertThat(file("rules:\n- !A\n  b: c\n# end\n").without("rules", "!A", "b").text())
        .isEqualTo("rules: []\n# end\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rules: [] # none yet",
        "rules: # none yet",
        "rules: [ ]  # none yet\nx: y",
        "rules: [] # none yet\r\nx: y\r\n",
        "rules: [] # none yet\n# more\n",
      })
  void whatIsSaidOfAnEmptyListStaysWithItsKey(String text) {
    ConfigurationDocument filled =
        file(text).with("t", "rules", "!A", "b").with("u", "rules", "!C", "d");
    assertThat(filled.text()).contains("rules: ", "# none yet");
    assertThat(filled.text().lines().findFirst().orElseThrow()).endsWith("# none yet");
    ConfigurationDocument emptied = filled.without("rules", "!A", "b").without("rules", "!C", "d");
    assertThat(emptied.text().lines().findFirst().orElseThrow()).matches("rules: \\[] +# none yet");
    assertThat(emptied.text().lines().skip(1).toList()).isEqualTo(text.lines().skip(1).toList());
  }

  @Test
  void whatStandsBetweenAKeyAndItsLinesStays() {
    assertThat(file("rules: # all\n# of them\n- !A\n  b: c\n# end\n").without("rules", "!A").text())
        .isEqualTo("rules: [] # all\n# of them\n# end\n");
    assertThat(file("a: # one\n  b: c\nd: e\n").with("f", "a").text())
        .isEqualTo("a: f # one\nd: e\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"databaseName: a", "databaseName: a\nrules: []\n", "rules:\n", "", "#\n"})
  void whatIsMissingIsMade(String text) {
    ConfigurationDocument made = file(text).with("c", "rules", "!A", "b");
    assertThat(made.rule("A").text("b")).isEqualTo("c");
    assertThat(made.text()).contains("rules:\n- !A\n  b: c");
  }

  @Test
  void lineEndsStay() {
    assertThat(file("a: 1\r\nb:\r\n  c: 2\r\n").with("3", "b", "d").text())
        .isEqualTo("a: 1\r\nb:\r\n  c: 2\r\n  d: 3\r\n");
  }

  @Test
  void charactersOfAnyPlaneCountRight() {
    assertThat(file("# \uD83D\uDE00\na: 1 # \uD83D\uDE00\nb: 2\n").with("3", "a").text())
        .isEqualTo("# \uD83D\uDE00\na: 3 # \uD83D\uDE00\nb: 2\n");
    assertThat(file("a: 1\n").with("\t\u00e9\uD83D\uDE00'\"", "a").root().text("a"))
        .isEqualTo("\t\u00e9\uD83D\uDE00'\"");
  }

  @Test
  void whatOthersShareIsNotChanged() {
    String shared = "a: &x { b: 1 }\nc: *x\nd:\n  <<: *x\n  e: 2\n";
    assertThatThrownBy(() -> file(shared).with("2", "a", "b"))
        .isInstanceOf(UneditableException.class)
        .hasMessageContaining("a.b");
    assertThatThrownBy(() -> file(shared).with("2", "c", "b"))
        .isInstanceOf(UneditableException.class);
    assertThatThrownBy(() -> file(shared).without("d", "b"))
        .isInstanceOf(UneditableException.class);
    assertThat(file(shared).with("2", "d", "b").text()).isEqualTo(shared + "  b: 2\n");
    assertThat(file(shared).with("4", "f").text()).isEqualTo(shared + "f: 4\n");
  }

  /**
   * A part of a password that is a reference, and braces that are none, make no password public.
   */
  @ParameterizedTest
  @ValueSource(strings = {"half${env:A}", "$${half", "ha${lf", "$${env:half}"})
  void exportsShowReferencesThatAreAll(String password) {
    String text = FILE.replace("\"p#1\"", "'" + password + "'");
    assertThat(DocumentExport.of(file(text)))
        .contains("${env:DATASOURCES_DS_1_PASSWORD}")
        .doesNotContain("half");
    assertThat(DocumentExport.of(file(FILE.replace("\"p#1\"", "'${env:A}${file:b}'"))))
        .contains("${env:A}${file:b}");
  }

  @Test
  void exportsHaveNoPasswords() {
    String exported =
        DocumentExport.of(
            file(
                FILE.replace("h/b", "u:pw@h/b?a=1&trustStorePassword=hidden&b=2")
                    .replace("password: x }", "password: \"${env:X}\" }")));
    assertThat(exported)
        .contains("password: '${env:X}'")
        .contains("password: '${env:DATASOURCES_DS_1_PASSWORD}'")
        .contains("//h/b?a=1&trustStorePassword=${env:DATASOURCES_DS_1_URL}&b=2")
        .contains("- !BROADCAST\n  tables: [t_a, t_b]")
        .doesNotContain("p#1", "hidden", "pw@");
    assertThat(file(exported).rule("SHARDING")).isEqualTo(file(FILE).rule("SHARDING"));
  }
}

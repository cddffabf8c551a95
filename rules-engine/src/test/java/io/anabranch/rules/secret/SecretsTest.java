package io.anabranch.rules.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What references become. */
class SecretsTest {

  @TempDir Path folder;
  private Secrets secrets;

  @BeforeEach
  void prepare() {
    secrets =
        new Secrets(folder, Map.of("NAME", "value", "EMPTY", "", "ODD", "$1\\${env:NAME}")::get);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          plain,                     plain
          ${env:NAME},               value
          a${env:NAME}b${env:NAME},  avaluebvalue
          x${env:EMPTY}y,            xy
          ${env:ODD},                $1\\${env:NAME}
          $${env:NAME},              ${env:NAME}
          pa$$word$,                 pa$$word$
          a${b,                      a${b
          """)
  void takesValuesFromTheEnvironment(String text, String expected) {
    assertThat(secrets.resolve(text)).isEqualTo(resolved(expected));
  }

  @ParameterizedTest
  @CsvSource({"${env:NAME, ${env:", "a${file:p, ${file:", "${env:NAME ${env:NAME}, ${env:"})
  void aReferenceThatIsNotClosedIsNoPassword(String text, String told) {
    assertThat(secrets.resolve(text).missing())
        .first()
        .extracting(Secrets.Missing::reason)
        .isEqualTo("holds `" + told + "` without a closing brace");
  }

  @Test
  void referencesAloneTellNoSecret() {
    assertThat(List.of("", "${env:A}", "${env:A}${file:b}")).allMatch(Secrets::areReferences);
    assertThat(
            List.of("x", "x${env:A}", "${env:A}x", "$${env:A}", "a${b", "${env:A", "${env:A}$${"))
        .noneMatch(Secrets::areReferences);
  }

  @ParameterizedTest
  @ValueSource(strings = {"secret", "secret\n", "secret\r\n"})
  void takesFilesWithoutTheirLineEnd(String content) throws IOException {
    Files.writeString(folder.resolve("p"), content);
    assertThat(secrets.resolve("${file:p}")).isEqualTo(resolved("secret"));
    assertThat(secrets.resolve("${file:" + folder.resolve("p") + "}"))
        .isEqualTo(resolved("secret"));
  }

  @Test
  void keepsAllButOneLineEnd() throws IOException {
    Files.writeString(folder.resolve("p"), " a\n${env:NAME} \n\n");
    assertThat(secrets.resolve("${file:p}")).isEqualTo(resolved(" a\n${env:NAME} \n"));
  }

  @Test
  void findsAFileThatHasChanged() throws IOException {
    Files.writeString(folder.resolve("p"), "old");
    secrets.resolve("${file:p}");
    Files.writeString(folder.resolve("p"), "new");
    assertThat(secrets.resolve("${file:p}")).isEqualTo(resolved("new"));
  }

  @Test
  void tellsEverythingThatIsMissing() throws IOException {
    Files.write(folder.resolve("latin"), new byte[] {(byte) 0xE9, 'x'});
    Files.createDirectory(folder.resolve("d"));
    String text = "${env:NONE}${file:gone}${vault:k-e-y}${NAME}${}${env:}${file:latin}${file:d}";
    assertThat(secrets.resolve(text).missing())
        .extracting(Secrets.Missing::reason)
        .containsExactly(
            "there is no environment variable `NONE`",
            "the file `gone` does not exist",
            "holds `${...}` that is neither ${env:NAME} nor ${file:path}",
            "holds `${...}` that is neither ${env:NAME} nor ${file:path}",
            "holds `${...}` that is neither ${env:NAME} nor ${file:path}",
            "there is no environment variable ``",
            "the file `latin` is no UTF-8 text",
            "the file `d` is no plain file");
  }

  @Test
  void hidesTheTextFromLogs() {
    assertThat(secrets.resolve("${env:NAME}")).hasToString("Resolved[]");
  }

  private static Secrets.Resolved resolved(String text) {
    return new Secrets.Resolved(text, List.of());
  }

  @Test
  void filesAreToldAsTheyAreNamed() {
    assertThat(Secrets.files("a: ${file:x/y}${env:Z} # ${file:/z}, not $${file:w} nor ${file}"))
        .containsExactly("x/y", "/z");
  }

  /** A plug-in that knows one secret. */
  private record Vault(String scheme) implements SecretSource {

    @Override
    @SuppressWarnings("NullAway")
    public String secret(String name) throws IOException {
      return switch (name) {
        case "shop/password" -> "s3cret ${env:NAME}";
        case "nothing" -> null;
        case "broken" -> throw new NoClassDefFoundError("org/example/Client");
        default -> throw new IOException("there is no key " + name + ", ask its owner");
      };
    }
  }

  private Secrets withPlugIns(String... schemes) {
    return new SecretSources(
            Map.of("NAME", "value")::get, Stream.of(schemes).map(Vault::new).toList())
        .from(folder);
  }

  @Test
  void plugInsGiveSecrets() {
    Secrets plugged = withPlugIns("vault", "kms-2");
    assertThat(plugged.resolve("a${vault:shop/password}${kms-2:shop/password}b${env:NAME}"))
        .isEqualTo(resolved("as3cret ${env:NAME}s3cret ${env:NAME}bvalue"));
    assertThat(plugged.resolve("x${other:")).isEqualTo(resolved("x${other:"));
    assertThat(Secrets.areReferences("${vault:shop/password}")).isTrue();
  }

  @Test
  void whatPlugInsCannotGiveIsToldWithTheOthers() {
    String text = "${vault:a}${vault:nothing}${vault:broken}${env:NONE}${other:x}${vault:b";
    assertThat(withPlugIns("vault", "kms").resolve(text).missing())
        .extracting(each -> each.reason() + "; " + each.cure())
        .containsExactly(
            "the plug-in cannot give `${vault:a}`; there is no key a, ask its owner",
            "the plug-in gives no value for `${vault:nothing}`; see there",
            "the plug-in cannot give `${vault:broken}`; org/example/Client",
            "there is no environment variable `NONE`; set it where the proxy is started",
            "holds `${...}` that is neither ${env:NAME} nor ${file:path} nor ${kms:...} nor ${vault:...};"
                + " name an environment variable or a file, or write $${ where ${ itself is meant",
            "holds `${vault:` without a closing brace; close it, or write $${ where ${ itself is meant");
  }

  @ParameterizedTest
  @ValueSource(strings = {"env", "file", "Vault", "a b", "", "1a", "twice"})
  void schemesAreToldApart(String scheme) {
    assertThatThrownBy(() -> withPlugIns(scheme, "twice"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(scheme);
  }
}

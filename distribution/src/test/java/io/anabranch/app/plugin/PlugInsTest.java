package io.anabranch.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.algorithm.mask.MaskerCatalogue;
import io.anabranch.rules.algorithm.mask.MaskerProvider;
import io.anabranch.rules.error.RefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders with jars of plug-ins. */
class PlugInsTest {

  @TempDir Path extLib;

  /**
   * @param api the manifest's attribute; null: there is none
   * @param shows an expression of {@code value}
   */
  private void plugIn(String name, @Nullable String api, String type, String shows)
      throws IOException {
    PlugInJar.write(
        extLib,
        name,
        api,
        """
      package org.example;

      import io.anabranch.rules.algorithm.mask.Masker;
      import io.anabranch.rules.algorithm.mask.MaskerProvider;
      import java.util.Map;

      public final class Shown implements MaskerProvider {
        public String type() { return "%s"; }
        public Masker create(Map<String, String> properties) { return value -> %s; }
      }
      """
            .formatted(type, shows),
        Map.of(MaskerProvider.class, List.of("org.example.Shown")));
  }

  private MaskerCatalogue catalogue() {
    return new MaskerCatalogue(PlugIns.of(extLib).all(MaskerProvider.class));
  }

  @Test
  void eachHasClassesOfItsOwn() throws IOException {
    plugIn("first", "1", "ONE", "\"one \" + value.length()");
    plugIn("second", "1", "TWO", "\"two\"");
    MaskerCatalogue catalogue = catalogue();
    assertThat(catalogue.masker("ONE", Map.of()).mask("abc")).isEqualTo("one 3");
    assertThat(catalogue.masker("TWO", Map.of()).mask("abc")).isEqualTo("two");
  }

  @Test
  void librariesOfTheProxyAreNoneOfTheirs() throws IOException {
    plugIn("nettys", "1", "NETTY", "io.netty.util.NetUtil.LOCALHOST.toString()");
    plugIn("logs", "1", "LOGS", "org.slf4j.LoggerFactory.getLogger(\"x\").getName()");
    MaskerCatalogue catalogue = catalogue();
    assertThatThrownBy(() -> catalogue.masker("NETTY", Map.of()).mask("abc"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("NoClassDefFoundError");
    assertThat(catalogue.masker("LOGS", Map.of()).mask("abc")).isEqualTo("x");
  }

  @Test
  void whatWasMadeForAnotherVersionIsNotTaken() throws IOException {
    plugIn("later", "2", "LATER", "value");
    assertThatThrownBy(this::catalogue)
        .isInstanceOf(ServiceConfigurationError.class)
        .hasMessageContaining("the plug-in later was made for version 2, this is version 1");
  }

  @Test
  void whatSaysNoVersionIsNotTaken() throws IOException {
    plugIn("silent", null, "SILENT", "value");
    assertThatThrownBy(this::catalogue).hasMessageContaining("Anabranch-Api");
  }

  @Test
  void aFolderNeedNotBeThere() {
    assertThat(PlugIns.of(extLib.resolve("none")).all(MaskerProvider.class)).isEmpty();
  }
}

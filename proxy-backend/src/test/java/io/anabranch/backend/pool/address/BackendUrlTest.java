package io.anabranch.backend.pool.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.model.DataSourceDefinition;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BackendUrlTest {

  @Test
  void parametersOfConnectorJAreTranslated() {
    BackendUrl url =
        BackendUrl.of(
            definition(
                "jdbc:mysql://10.0.0.1:3306/demo_ds_0?serverTimezone=UTC&useSSL=false"
                    + "&allowPublicKeyRetrieval=true&connectTimeout=3000&rewriteBatchedStatements=true"
                    + "&sessionVariables=a%3D1&allowMultiQueries=true"));
    assertThat(url.url()).isEqualTo("jdbc:mariadb://10.0.0.1:3306/demo_ds_0");
    assertThat(url.options())
        .isEqualTo(
            Map.of(
                "allowPublicKeyRetrieval", "true",
                "connectTimeout", "3000",
                "sslMode", "disable"));
    assertThat(url.ignored()).containsExactly("sessionVariables");
  }

  @Test
  void theDriverIsKeptFromItsOwnIdeas() {
    DataSourceDefinition definition = definition("jdbc:mysql://h/d?useAffectedRows=false");
    Properties affected = BackendUrl.of(definition).properties(definition, false);
    assertThat(affected)
        .containsEntry("useAffectedRows", "true")
        .containsEntry("allowMultiQueries", "false")
        .containsEntry("rewriteBatchedStatements", "false")
        .containsEntry("allowLocalInfile", "true")
        .containsEntry("sslMode", "disable");
    assertThat(BackendUrl.of(definition).properties(definition, true))
        .containsEntry("useAffectedRows", "false");
  }

  @Test
  void tlsIsAskedForInTheDriversWords() {
    assertThat(tlsOf("useSSL=true")).isEqualTo("trust");
    assertThat(tlsOf("useSSL=true&verifyServerCertificate=true")).isEqualTo("verify-ca");
    assertThat(tlsOf("sslMode=REQUIRED")).isEqualTo("trust");
    assertThat(tlsOf("sslMode=VERIFY_IDENTITY")).isEqualTo("verify-full");
    assertThat(tlsOf("sslMode=PREFERRED")).isEqualTo("disable");
    assertThat(tlsOf("sslMode=disable")).isEqualTo("disable");
  }

  private static @Nullable String tlsOf(String parameters) {
    DataSourceDefinition definition = definition("jdbc:mysql://h/d?" + parameters);
    BackendUrl url = BackendUrl.of(definition);
    assertThat(url.properties(definition, false))
        .containsEntry("sslMode", url.options().get("sslMode"));
    return url.options().get("sslMode");
  }

  @Test
  void whatCannotBeUsedIsRefusedWithTheWayOut() {
    assertThatThrownBy(() -> BackendUrl.of(definition("jdbc:postgresql://h/d")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'ds_0'")
        .hasMessageContaining("jdbc:mysql://");
    assertThatThrownBy(() -> BackendUrl.of(definition("jdbc:mysql://a,b/d")))
        .hasMessageContaining("read/write group");
  }

  private static DataSourceDefinition definition(String url) {
    return new DataSourceDefinition(
        "ds_0", url, "root", "secret", 1000, 60_000, 1_800_000, 4, 1, false, Map.of());
  }
}

package io.anabranch.rules.secret;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretNamesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "password",
        "retainedPassword",
        "trustStorePassword",
        "proxy-frontend-ssl-key-password",
        "proxy-admin-token",
        "proxy-tracing-authorization",
        "aes-key-value",
        "key-value-2026",
        "sm4-key",
        "key",
        "salt",
        "clientPrivateKey",
        "aesKey",
        "sm4Key",
        "pwd",
        "db-passwd",
        "loginPass",
      })
  void theirValuesAreHidden(String key) {
    assertThat(SecretNames.isSecret(key)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "username",
        "key-id",
        "proxy-frontend-ssl-key-file",
        "keyGeneratorName",
        "monkey",
        "compass",
        "shardingColumn"
      })
  void othersAreShown(String key) {
    assertThat(SecretNames.isSecret(key)).isFalse();
  }
}

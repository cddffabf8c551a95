package io.anabranch.rules.config;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.config.yaml.Problem;
import io.anabranch.rules.model.encrypt.EncryptRule;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EncryptConfigurationTest {

  private static Configuration load(String rules, Map<String, String> environment) {
    return new ConfigurationLoader(new AlgorithmCatalogue(List.of()), environment::get)
        .load(
            List.of(
                new ConfigurationText("global.yaml", "authority: { users: [a@%:b] }\n"),
                new ConfigurationText(
                    "database-shop.yaml",
                    "databaseName: shop\n"
                        + "dataSources: { ds_0: { url: 'jdbc:mysql://h/s' } }\n"
                        + "rules:\n"
                        + rules)));
  }

  private static EncryptRule rule(String rules, Map<String, String> environment) {
    return requireNonNull(load(rules, environment).ruleSet().databases().get("shop")).encryption();
  }

  private static List<String> problems(String rules) {
    return catchThrowableOfType(ConfigurationException.class, () -> load(rules, Map.of()))
        .problems()
        .stream()
        .map(Problem::toString)
        .toList();
  }

  private static final String NESTED =
      """
      - !ENCRYPT
        tables:
          T_User:
            columns:
              phone:
                cipher: { name: phone_cipher, encryptorName: aes }
                assistedQuery: { name: phone_hash, encryptorName: md5 }
                likeQuery: { name: phone_like, encryptorName: like }
        encryptors:
          aes: { type: AES, props: { aes-key-value: "${env:KEY}", digest-algorithm-name: SHA-1 } }
          md5: { type: MD5, props: { salt: x } }
          like: { type: CHAR_DIGEST_LIKE }
      """;

  @Test
  void readsStoredColumns() {
    EncryptedTable table = requireNonNull(rule(NESTED, Map.of("KEY", "test")).table("t_user"));
    EncryptedColumn column = requireNonNull(table.column("PHONE"));
    assertThat(column.stored())
        .extracting(EncryptedColumn.Stored::name)
        .containsExactly("phone_cipher", "phone_hash", "phone_like");
    assertThat(column.cipher().encryptor().encrypt("test")).isEqualTo("dSpPiyENQGDUXMKFMJPGWA==");
    assertThat(table.ofStored("Phone_Hash")).isEqualTo(column);
    assertThat(requireNonNull(column.equality()).name()).isEqualTo("phone_hash");
  }

  @Test
  void readsTheFlatForm() {
    EncryptedColumn column =
        requireNonNull(
            requireNonNull(
                    rule(
                            """
                            - !ENCRYPT
                              tables:
                                t:
                                  columns:
                                    c:
                                      cipherColumn: c1
                                      encryptorName: aes
                                      assistedQueryColumn: c2
                                      assistedQueryEncryptorName: md5
                              encryptors:
                                aes: { type: aes, props: { aes-key-value: k } }
                                md5: { type: md5 }
                            """,
                            Map.of())
                        .table("t"))
                .column("c"));
    assertThat(column.stored())
        .extracting(EncryptedColumn.Stored::name)
        .containsExactly("c1", "c2");
  }

  @Test
  void isTheSameRuleForTheSameKey() {
    assertThat(rule(NESTED, Map.of("KEY", "a"))).isEqualTo(rule(NESTED, Map.of("KEY", "a")));
    assertThat(rule(NESTED, Map.of("KEY", "a"))).isNotEqualTo(rule(NESTED, Map.of("KEY", "b")));
    assertThat(rule(NESTED, Map.of("KEY", "topsecret")).toString()).doesNotContain("topsecret");
  }

  @Test
  void tellsWhatIsWrong() {
    assertThat(
            problems(
                """
                - !SHARDING
                  tables:
                    t:
                      actualDataNodes: ds_0.t_${0..1}
                      tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: m } }
                  shardingAlgorithms: { m: { type: MOD, props: { sharding-count: 2 } } }
                - !ENCRYPT
                  tables:
                    t:
                      columns:
                        id: { cipher: { name: id_cipher, encryptorName: aes } }
                    u:
                      columns:
                        a: { cipher: { name: a1, encryptorName: md5 } }
                        b: { cipher: { name: a1, encryptorName: gcm } }
                        c: { assistedQuery: { name: c2, encryptorName: md5 } }
                        d:
                          cipher: { name: d1, encryptorName: aes }
                          assistedQuery: { name: d2, encryptorName: gcm }
                          likeQuery: { name: d3, encryptorName: md5 }
                        e: { cipher: { name: e1, encryptorName: none } }
                        f: { cipher: { name: d, encryptorName: aes }, plainColumn: f }
                  encryptors:
                    aes: { type: AES, props: { aes-key-value: k } }
                    gcm: { type: AES_GCM, props: { key-id: a, key-value-a: k } }
                    md5: { type: MD5 }
                    sm: { type: SM4, props: { sm4-key: topsecret } }
                    bad: { type: AES, props: { aes-key-valu: topsecret } }
                """))
        .anyMatch(each -> each.contains("`id` places or numbers the table's rows"))
        .anyMatch(each -> each.contains("columns.a: the cipher column's encryptor has no way back"))
        .anyMatch(each -> each.contains("the stored column `a1` is there twice"))
        .anyMatch(each -> each.contains("columns.c: the key `cipher` is missing"))
        .anyMatch(each -> each.contains("stores the same text in different ways"))
        .anyMatch(each -> each.contains("is not for patterns"))
        .anyMatch(each -> each.contains("there is no encryptor `none`"))
        .anyMatch(each -> each.contains("has the name of another encrypted column"))
        .anyMatch(each -> each.contains("plainColumn: a column that keeps the plain values"))
        .anyMatch(each -> each.contains("sm4-key: must be 16 bytes in 32 hexadecimal digits"))
        .anyMatch(each -> each.contains("sm4-mode: is required"))
        .anyMatch(each -> each.contains("aes-key-value: is required"))
        .noneMatch(each -> each.contains("topsecret"));
  }
}

package io.anabranch.rules.config.database;

import io.anabranch.rules.algorithm.encrypt.Encryptor;
import io.anabranch.rules.config.type.AlgorithmReader;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.model.encrypt.EncryptRule;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedColumn.Stored;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@code !ENCRYPT}, with stored columns as sections or, as in older files, as flat keys. */
final class EncryptReader {

  private final Section rule;
  private final AlgorithmReader algorithms;
  private final Definitions<Encryptor> encryptors;
  private final MessageDigest digest = sha256();

  EncryptReader(Section rule, AlgorithmReader algorithms) {
    this.rule = rule;
    this.algorithms = algorithms;
    encryptors = new Definitions<>("encryptor", rule, "encryptors", this::encryptor);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is not at hand", e);
    }
  }

  EncryptRule read(Map<String, ShardedTable> sharded) {
    var tables = new LinkedHashMap<String, EncryptedTable>();
    rule.named("tables").forEach((name, section) -> table(name, section, sharded, tables));
    rule.close();
    encryptors.reportUnused();
    return new EncryptRule(tables, HexFormat.of().formatHex(digest.digest()));
  }

  private void noted(String... parts) {
    for (String part : parts) {
      digest.update(part.getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
    }
  }

  // ---------------------------------------------------------------- encryptors

  private @Nullable Encryptor encryptor(Section section) {
    return algorithms.read(
        section,
        algorithms.encryptors().types(),
        (type, properties) -> {
          noted(section.place().keyPath(), type);
          new TreeMap<>(properties).forEach(this::noted);
          return algorithms.encryptors().encryptor(type, properties);
        });
  }

  private void noted(String key, String value) {
    noted(new String[] {key, value});
  }

  // ---------------------------------------------------------------- tables

  private void table(
      String name,
      Section section,
      Map<String, ShardedTable> sharded,
      Map<String, EncryptedTable> tables) {
    String key = name.toLowerCase(Locale.ROOT);
    var columns = new ArrayList<EncryptedColumn>();
    var names = new HashSet<String>();
    section
        .named("columns")
        .forEach(
            (column, parts) -> {
              EncryptedColumn read = column(column, parts, names);
              if (read != null) {
                columns.add(read);
                noted(key, column);
                read.stored().forEach(stored -> noted(stored.name()));
              }
            });
    section.ignored("queryWithCipherColumn", "values are always compared as they are stored");
    section.close();
    if (columns.isEmpty()) {
      section.error("the table has no encrypted columns", "add some under `columns`, or remove it");
      return;
    }
    for (EncryptedColumn column : columns) {
      boolean hides =
          column.stored().stream().anyMatch(stored -> isLogical(stored, column, columns));
      if (hides) {
        section.error(
            "a stored column of `" + column.name() + "` has the name of another encrypted column",
            "give it another name");
      }
    }
    ShardedTable placed = sharded.get(key);
    Set<String> placing = placed == null ? Set.of() : placing(placed);
    for (EncryptedColumn column : columns) {
      if (placing.stream().anyMatch(column.name()::equalsIgnoreCase)
          || column.stored().stream()
              .anyMatch(stored -> placing.stream().anyMatch(stored.name()::equalsIgnoreCase))) {
        section.error(
            "the column `" + column.name() + "` places or numbers the table's rows",
            "shard by a column that is not encrypted");
      }
    }
    if (tables.putIfAbsent(key, new EncryptedTable(name, columns)) != null) {
      section.error("the table `" + name + "` is there twice", null);
    }
  }

  private static boolean isLogical(
      Stored stored, EncryptedColumn of, List<EncryptedColumn> columns) {
    boolean isOwn = stored.equals(of.cipher()) && stored.name().equalsIgnoreCase(of.name());
    return !isOwn && columns.stream().anyMatch(each -> each.name().equalsIgnoreCase(stored.name()));
  }

  private static Set<String> placing(ShardedTable table) {
    var columns = new HashSet<String>();
    for (ShardingStrategy strategy : List.of(table.databaseStrategy(), table.tableStrategy())) {
      switch (strategy) {
        case ShardingStrategy.Standard one -> columns.add(one.column());
        case ShardingStrategy.Complex several -> columns.addAll(several.columns());
        case ShardingStrategy.Hint _, ShardingStrategy.None _ -> {}
      }
    }
    ShardedTable.KeyGeneration keys = table.keyGeneration();
    if (keys != null) {
      columns.add(keys.column());
    }
    return columns;
  }

  private @Nullable EncryptedColumn column(String name, Section section, Set<String> names) {
    Stored cipher = stored(section, "cipher", "cipherColumn", "encryptorName", names);
    Stored assisted =
        stored(
            section, "assistedQuery", "assistedQueryColumn", "assistedQueryEncryptorName", names);
    Stored like = stored(section, "likeQuery", "likeQueryColumn", "likeQueryEncryptorName", names);
    section.refused(
        "plainColumn", "a column that keeps the plain values", "leave it out, and drop the column");
    section.ignored("queryWithCipherColumn", "values are always compared as they are stored");
    section.close();
    if (cipher == null) {
      if (!section.has("cipher") && !section.has("cipherColumn")) {
        section.error("the key `cipher` is missing", "name the column that holds the ciphertext");
      }
      return null;
    }
    if (cipher.encryptor().decryptor() == null) {
      section.error(
          "the cipher column's encryptor has no way back", "use one that has: AES, AES_GCM");
    }
    if (assisted != null && !assisted.encryptor().isDeterministic()) {
      section.error(
          "the assisted query column's encryptor stores the same text in different ways",
          "use a digest: HMAC_SHA256, MD5");
    }
    if (like != null && !like.encryptor().isForPatterns()) {
      section.error(
          "the like query column's encryptor is not for patterns", "use CHAR_DIGEST_LIKE");
    }
    return new EncryptedColumn(name, cipher, assisted, like);
  }

  /** Null if it is not there, or wrong and reported. */
  private @Nullable Stored stored(
      Section column, String key, String flatName, String flatEncryptor, Set<String> names) {
    if (column.has(flatName)) {
      column
          .problems()
          .notice(column.keyPlace(flatName), "is an old form", "use `" + key + "` with `name`");
      return stored(column, flatName, flatEncryptor, names);
    }
    column.has(flatEncryptor);
    Section section = column.section(key);
    if (section == null) {
      return null;
    }
    Stored stored = stored(section, "name", "encryptorName", names);
    section.close();
    return stored;
  }

  private @Nullable Stored stored(
      Section section, String nameKey, String encryptorKey, Set<String> names) {
    String name = section.required(nameKey);
    section.required(encryptorKey);
    Encryptor encryptor = encryptors.get(section.value(encryptorKey));
    if (!name.isEmpty() && !names.add(name.toLowerCase(Locale.ROOT))) {
      section.error("the stored column `" + name + "` is there twice", "give each its own");
    }
    return encryptor == null || name.isEmpty() ? null : new Stored(name, encryptor);
  }
}

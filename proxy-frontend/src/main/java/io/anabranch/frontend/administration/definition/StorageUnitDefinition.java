package io.anabranch.frontend.administration.definition;

import io.anabranch.rules.config.document.ConfigurationDocument;
import io.anabranch.rules.config.document.DocumentPart;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.config.document.DocumentPart.Scalar;
import io.anabranch.rules.secret.SecretNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** REGISTER, ALTER and UNREGISTER STORAGE UNIT: {@code dataSources}. */
public final class StorageUnitDefinition {

  private static final String SOURCES = "dataSources";
  private static final String POOL = "customPoolProps";

  /** HikariCP's names of what has a key of its own. */
  private static final Map<String, String> OWN_KEYS =
      Map.ofEntries(
          Map.entry("connectionTimeout", "connectionTimeoutMilliseconds"),
          Map.entry("idleTimeout", "idleTimeoutMilliseconds"),
          Map.entry("maxLifetime", "maxLifetimeMilliseconds"),
          Map.entry("maximumPoolSize", "maxPoolSize"),
          Map.entry("minimumIdle", "minPoolSize"),
          Map.entry("connectionTimeoutMilliseconds", "connectionTimeoutMilliseconds"),
          Map.entry("idleTimeoutMilliseconds", "idleTimeoutMilliseconds"),
          Map.entry("maxLifetimeMilliseconds", "maxLifetimeMilliseconds"),
          Map.entry("maxPoolSize", "maxPoolSize"),
          Map.entry("minPoolSize", "minPoolSize"),
          Map.entry("readOnly", "readOnly"));

  private StorageUnitDefinition() {}

  /**
   * @param isLenient those that are there already stay as they are
   */
  public static ConfigurationDocument register(
      ConfigurationDocument document, List<Clause> units, boolean isLenient) {
    ConfigurationDocument changed = document;
    for (Clause unit : units) {
      if (changed.at(SOURCES, unit.name()) == null) {
        Mapping made = new Mapping("", entries(unit));
        if (!made.has("url") || !made.has("username")) {
          throw Clause.refused(
              "the storage unit `" + unit.name() + "` needs URL, or HOST, PORT and DB, and USER");
        }
        changed = changed.with(made, SOURCES, unit.name());
      } else if (!isLenient) {
        throw Clause.refused("the storage unit `" + unit.name() + "` is there already");
      }
    }
    return changed;
  }

  /** What is left out stays as it is. */
  public static ConfigurationDocument alter(ConfigurationDocument document, List<Clause> units) {
    ConfigurationDocument changed = document;
    for (Clause unit : units) {
      requireKnown(changed, unit.name());
      for (Map.Entry<String, DocumentPart> entry : entries(unit).entrySet()) {
        if (entry.getValue() instanceof Mapping pool) {
          for (Map.Entry<String, DocumentPart> property : pool.entries().entrySet()) {
            changed =
                changed.with(property.getValue(), SOURCES, unit.name(), POOL, property.getKey());
          }
        } else {
          changed = changed.with(entry.getValue(), SOURCES, unit.name(), entry.getKey());
        }
      }
    }
    return changed;
  }

  /**
   * @param isLenient those that are not there are passed over
   * @param dropsSingles single tables of theirs are unloaded
   */
  public static ConfigurationDocument unregister(
      ConfigurationDocument document, List<String> units, boolean isLenient, boolean dropsSingles) {
    ConfigurationDocument changed = document;
    for (String unit : units) {
      if (!isLenient) {
        requireKnown(changed, unit);
      }
      changed = changed.without(SOURCES, unit);
      if (dropsSingles) {
        List<String> kept =
            changed.rule("SINGLE").texts("tables").stream()
                .filter(entry -> !entry.startsWith(unit + "."))
                .toList();
        changed = changed.withList(kept, "rules", "!SINGLE", "tables");
      }
    }
    return changed;
  }

  private static void requireKnown(ConfigurationDocument document, String unit) {
    if (document.at(SOURCES, unit) == null) {
      throw Clause.refused("there is no storage unit `" + unit + "`");
    }
  }

  private static Map<String, DocumentPart> entries(Clause unit) {
    unit.takeOnly("URL", "HOST", "PORT", "DB", "USER", "PASSWORD", "PROPERTIES");
    var entries = new LinkedHashMap<String, DocumentPart>();
    putPlain(entries, "url", url(unit));
    putPlain(entries, "username", unit.text("USER"));
    put(entries, "password", unit.text("PASSWORD"));
    var pool = new LinkedHashMap<String, DocumentPart>();
    Clause properties = unit.part("PROPERTIES");
    for (Clause property : properties == null ? new ArrayList<Clause>() : properties.parts()) {
      String own = OWN_KEYS.get(property.name());
      boolean isSecret =
          own == null ? SecretNames.isSecret(property.name()) : own.equals("password");
      String key = own == null ? property.name() : own;
      if (isSecret) {
        put(own == null ? pool : entries, key, property.property());
      } else {
        putPlain(own == null ? pool : entries, key, property.property());
      }
    }
    if (!pool.isEmpty()) {
      entries.put(POOL, new Mapping("", pool));
    }
    return entries;
  }

  private static void put(Map<String, DocumentPart> entries, String key, @Nullable String value) {
    if (value != null) {
      entries.put(key, new Scalar("", value));
    }
  }

  /**
   * Users and places come back in what databases and drivers say: a reference in one would show
   * whoever may send statements what the proxy may read.
   */
  private static void putPlain(
      Map<String, DocumentPart> entries, String key, @Nullable String value) {
    if (value != null && value.replace("$${", "").contains("${")) {
      throw Clause.refused(
          "a reference in the " + key + " of a storage unit: write it in the file, and reload");
    }
    put(entries, key, value);
  }

  private static @Nullable String url(Clause unit) {
    String url = unit.text("URL");
    if (url != null || unit.text("HOST") == null) {
      return url;
    }
    String host = unit.required("HOST");
    String bracketed = host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    return "jdbc:mysql://" + bracketed + ":" + unit.required("PORT") + "/" + unit.required("DB");
  }
}

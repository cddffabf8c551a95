package io.anabranch.rules.config;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.database.DatabaseReader;
import io.anabranch.rules.config.global.GlobalReader;
import io.anabranch.rules.config.outline.Outline;
import io.anabranch.rules.config.outline.Outlines;
import io.anabranch.rules.config.type.AlgorithmTypes;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.config.yaml.Place;
import io.anabranch.rules.config.yaml.Problems;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.YamlReader;
import io.anabranch.rules.file.PlainFile;
import io.anabranch.rules.model.Authority.User;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ReplicationGroup.Balance;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.secret.SecretSources;
import io.anabranch.rules.secret.Secrets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the configuration directory.
 *
 * <p>Thread-safe. Each successful load gives a {@code RuleSet} with a greater version.
 */
public final class ConfigurationLoader {

  private static final String GLOBAL = "global.yaml";
  private static final String OLD_GLOBAL = "server.yaml";
  private static final Pattern DATABASE = Pattern.compile("(database|config)-.+\\.yaml");
  private static final Pattern NEARLY =
      Pattern.compile("(global|server|(database|config)-.+)\\.yml");

  /** Of the trees that a character becomes while it is read. */
  private static final int TREE_BYTES = 45;

  private final AlgorithmTypes types;
  private final SecretSources secretSources;
  private final AtomicLong versions = new AtomicLong();

  /**
   * {@code ${env:NAME}} is a variable of the process.
   *
   * @param algorithms the algorithms that configurations may name
   */
  public ConfigurationLoader(AlgorithmCatalogue algorithms) {
    this(algorithms, System::getenv);
  }

  /**
   * @param algorithms the algorithms that configurations may name
   * @param environment the value of an environment variable, null if it is not set
   */
  public ConfigurationLoader(
      AlgorithmCatalogue algorithms, Function<String, @Nullable String> environment) {
    this(AlgorithmTypes.of(algorithms), new SecretSources(environment, List.of()));
  }

  /**
   * @param types what configurations may name
   * @param secretSources where values are that configurations refer to
   */
  public ConfigurationLoader(AlgorithmTypes types, SecretSources secretSources) {
    this.types = types;
    this.secretSources = secretSources;
  }

  /**
   * Types that configurations may name, in their order: built-ins and those of {@code ext-lib/}.
   */
  public SortedSet<String> types(AlgorithmKind kind) {
    return new TreeSet<>(
        switch (kind) {
          case SHARDING -> types.algorithms().shardingTypes();
          case KEY_GENERATE -> types.algorithms().keyGeneratorTypes();
          case AUDIT -> types.auditors().types();
          case LOAD_BALANCE ->
              Stream.concat(Balance.names().stream(), types.balancers().types().stream())
                  .collect(Collectors.toSet());
          case ENCRYPT -> types.encryptors().types();
          case MASK -> types.maskers().types();
          case SHADOW -> types.shadows().types();
        });
  }

  private static void refuse(Path directory, IOException failure, Problems problems) {
    problems.error(
        Place.start(directory.toString()),
        "the directory cannot be read: " + reason(failure),
        null);
  }

  /**
   * Reads {@code global.yaml} (or {@code server.yaml}) and every {@code database-*.yaml} (or {@code
   * config-*.yaml}) in {@code directory}.
   *
   * @throws ConfigurationException with every problem of every file
   */
  public Configuration load(Path directory) {
    Problems problems = new Problems();
    List<ConfigurationText> texts = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.sorted().toList()) {
        String name = String.valueOf(file.getFileName());
        if (NEARLY.matcher(name).matches()) {
          problems.notice(Place.start(name), "is not read", "name it *.yaml");
        } else if (reads(name)) {
          read(file, name, texts, problems);
        }
      }
    } catch (IOException e) {
      refuse(directory, e, problems);
    } catch (UncheckedIOException e) {
      refuse(directory, new IOException(e), problems);
    }
    long length = texts.stream().mapToLong(text -> text.content().length()).sum();
    long heap = Runtime.getRuntime().maxMemory();
    if (!fits(length, heap)) {
      problems.error(
          Place.start(directory.toString()),
          "%d KiB of configuration need more than half of a heap of %d MiB to be read"
              .formatted(length >> 10, heap >> 20),
          "give the process more (-Xmx in jvm.options)");
    }
    if (problems.hasErrors()) {
      // what could not be read would be told as missing
      throw new ConfigurationException(problems.errors());
    }
    return load(texts, secretSources.from(directory), problems);
  }

  /** Whether files of so many characters can be read beside what a proxy serves. */
  static boolean fits(long length, long heap) {
    return length * TREE_BYTES <= heap / 2;
  }

  /**
   * The same from texts; relative paths of {@code ${file:path}} begin in the working directory.
   *
   * @throws ConfigurationException with every problem of every text
   */
  public Configuration load(List<ConfigurationText> texts) {
    return load(texts, Path.of(""));
  }

  /**
   * The same from texts.
   *
   * @param directory where relative paths of {@code ${file:path}} begin
   * @throws ConfigurationException with every problem of every text
   */
  public Configuration load(List<ConfigurationText> texts, Path directory) {
    return load(texts, secretSources.from(directory), new Problems());
  }

  private static void read(
      Path file, String name, List<ConfigurationText> texts, Problems problems) {
    try {
      String text = PlainFile.text(file, PlainFile.MOST_CONFIGURATION);
      if (text.isBlank()) {
        // as editors leave it for a moment: to a reload it would mean that its database is gone
        problems.error(Place.start(name), "the file is empty", "write it anew, or remove it");
      }
      texts.add(new ConfigurationText(name, text));
    } catch (IOException e) {
      problems.error(Place.start(name), "the file cannot be read: " + reason(e), null);
    }
  }

  private static String reason(IOException failure) {
    return switch (failure) {
      case NoSuchFileException _ -> "it does not exist";
      case NotDirectoryException _ -> "it is no directory";
      case AccessDeniedException _ -> "this user may not";
      case CharacterCodingException _ -> "it is no UTF-8 text";
      case FileSystemException refused when refused.getReason() != null ->
          "it " + refused.getReason();
      default -> failure.toString();
    };
  }

  /** Whether a file of that name in a configuration's folder is a part of it. */
  public static boolean reads(String name) {
    return name.equals(GLOBAL) || name.equals(OLD_GLOBAL) || DATABASE.matcher(name).matches();
  }

  private Configuration load(List<ConfigurationText> texts, Secrets given, Problems problems) {
    Secrets secrets = given.ofOneMoment();
    Section file = globalFile(texts, problems);
    // what a file that cannot be read lacks is nobody's mistake
    Problems ofGlobalFile = file == null ? new Problems() : problems;
    GlobalReader global = new GlobalReader(ofGlobalFile, types, secrets);
    RuleSet rules =
        global.read(
            file == null ? Section.empty(ofGlobalFile, Place.start(GLOBAL)) : file,
            versions.incrementAndGet());
    Set<String> users =
        rules.authority().users().stream().map(User::name).collect(Collectors.toSet());
    var outlines = new LinkedHashMap<String, Outline>();
    Map<String, LogicalDatabase> databases = databases(texts, users, secrets, outlines, problems);
    global.checkGrants(databases);
    global.checkLog(databases);
    global.checkProtection(databases);
    if (problems.hasErrors()) {
      throw new ConfigurationException(problems.errors());
    }
    RuleSet complete =
        new RuleSet(
            rules.version(),
            databases,
            rules.authority(),
            rules.properties(),
            rules.transactions(),
            rules.protection());
    Outline ofGlobal =
        texts.stream()
            .filter(text -> file != null && text.fileName().equals(file.place().file()))
            .findFirst()
            .map(text -> outline(text, secrets))
            .orElse(Outline.EMPTY);
    return new Configuration(
        complete,
        problems.notices(),
        new Outlines(ofGlobal, outlines),
        texts,
        global.settings(),
        global.listeners(),
        global.repository());
  }

  /** Null, and reported, if it is not there or no YAML. */
  private static @Nullable Section globalFile(List<ConfigurationText> texts, Problems problems) {
    Map<String, ConfigurationText> byName = new HashMap<>();
    texts.forEach(text -> byName.put(text.fileName(), text));
    ConfigurationText text = byName.get(GLOBAL);
    ConfigurationText old = byName.get(OLD_GLOBAL);
    if (text != null && old != null) {
      problems.notice(Place.start(OLD_GLOBAL), "is not read: there is " + GLOBAL, null);
    }
    ConfigurationText found = text == null ? old : text;
    if (found == null) {
      problems.error(Place.start(GLOBAL), "the file does not exist", null);
      return null;
    }
    int before = problems.count();
    Section section = YamlReader.read(found, problems);
    return section == null && problems.count() == before
        ? Section.empty(problems, Place.start(found.fileName()))
        : section;
  }

  private Map<String, LogicalDatabase> databases(
      List<ConfigurationText> texts,
      Set<String> users,
      Secrets secrets,
      Map<String, Outline> outlines,
      Problems problems) {
    Map<String, LogicalDatabase> databases = new LinkedHashMap<>();
    Map<String, String> files = new HashMap<>();
    for (ConfigurationText text : texts) {
      if (!DATABASE.matcher(text.fileName()).matches()) {
        continue;
      }
      Section section = YamlReader.read(text, problems);
      if (section == null || section.isEmpty()) {
        continue;
      }
      LogicalDatabase database = new DatabaseReader(problems, types, users, secrets).read(section);
      String key = database.name().toLowerCase(Locale.ROOT);
      String other = files.putIfAbsent(key, text.fileName());
      if (other == null) {
        databases.put(key, database);
        // what is wrong is told, and nobody compares it
        outlines.put(key, problems.hasErrors() ? Outline.EMPTY : outline(text, secrets));
      } else if (!key.isEmpty()) {
        problems.error(
            section.keyPlace("databaseName"),
            "the database `" + database.name() + "` is in the file " + other + " already",
            "a database has one file");
      }
    }
    return databases;
  }

  /** What is no reference is an expression. */
  private static Outline outline(ConfigurationText text, Secrets secrets) {
    return Outline.of(
        text.content(),
        value -> {
          Secrets.Resolved resolved = secrets.resolve(value);
          return resolved.missing().isEmpty() ? resolved.text() : value;
        });
  }
}

package io.anabranch.app.live;

import io.anabranch.app.check.DryRun;
import io.anabranch.backend.execute.PlanWalker;
import io.anabranch.backend.keys.KeyService;
import io.anabranch.backend.pool.HikariLeaseDesk;
import io.anabranch.backend.registry.ClusterMember;
import io.anabranch.frontend.configuration.ConfigurationControl;
import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statementlog.StatementListeners;
import io.anabranch.frontend.tls.ClientTls;
import io.anabranch.frontend.tls.TlsException;
import io.anabranch.frontend.tls.TlsInForce;
import io.anabranch.rules.config.AlgorithmKind;
import io.anabranch.rules.config.Configuration;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.config.document.ConfigurationDocuments;
import io.anabranch.rules.config.document.UneditableException;
import io.anabranch.rules.config.outline.Outline;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.config.yaml.Problem;
import io.anabranch.rules.listener.ListenerDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.RuleSet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration in force, and the way of another one into force: read, validate, compare, try
 * out the servers that are new, start to watch them, swap, and close what is left when nobody uses
 * it any more. One change at a time; thread-safe.
 */
public final class LiveConfiguration implements ConfigurationControl {

  private static final Logger log = LoggerFactory.getLogger(LiveConfiguration.class);
  private static final long CREATED_KNOWN_MILLISECONDS = 3000;
  private static final String CERTIFICATE =
      "global: props.proxy-frontend-ssl-cert-file: the certificate, its key or the authorities have"
          + " changed";
  private static final String REFERENCE = "what a reference stands for has changed";
  private static final String LISTENERS = "statementListeners";
  private static final String TOKEN = "proxy-admin-token";
  private static final String EMPTIED =
      "there is no data source any more; UNREGISTER STORAGE UNIT takes the last one,"
          + " SAVE CONFIGURATION writes those that no file has";

  private final ConfigurationLoader loader;
  private final Path directory;
  private final Parts parts;
  private final AtomicReference<Deployment> deployment;
  private final Departure departure;
  private final Revisions revisions;
  private final ConfigurationFiles files;

  /** What is in force, and its number. */
  private Configuration current;

  private volatile long number;

  /** By lower-case name, in the order of the files. */
  private Map<String, RunningDatabase> running;

  /**
   * What a configuration is put in force with.
   *
   * @param starter makes what serves databases
   * @param users works with their servers, too
   * @param created databases in no file
   * @param planners makes plans
   * @param walkers makes what runs plans
   * @param checks what else must hold: problems of rules, none if they are good
   * @param keys serves key generators
   * @param listeners hears of statements
   * @param tls the certificate that clients are shown; null: none
   */
  public record Parts(
      DatabaseStarter starter,
      ServerUsers users,
      CreatedDatabases created,
      Deployment.Planners planners,
      Function<RuleSet, PlanWalker> walkers,
      Function<RuleSet, List<String>> checks,
      KeyService keys,
      StatementListeners listeners,
      @Nullable TlsInForce tls) {}

  /** What is about to be put in force. */
  private record Next(
      Map<String, RunningDatabase> databases,
      List<RunningDatabase> restarted,
      List<RunningDatabase> replaced) {}

  /**
   * @param first in force already
   * @param number of the first
   * @param revisions give numbers to the others
   * @param running its databases, by lower-case name
   * @param deployment is replaced with each change
   * @param sessions all that there are
   * @param limitMilliseconds how long transactions may go on with servers that are not in force any
   *     more
   */
  public LiveConfiguration(
      ConfigurationLoader loader,
      Path directory,
      Configuration first,
      long number,
      Revisions revisions,
      Map<String, RunningDatabase> running,
      Parts parts,
      AtomicReference<Deployment> deployment,
      Supplier<Collection<Session>> sessions,
      long limitMilliseconds) {
    this.departure = new Departure(sessions, parts.users(), limitMilliseconds);
    this.loader = loader;
    this.directory = directory;
    this.parts = parts;
    this.deployment = deployment;
    this.running = new LinkedHashMap<>(running);
    running.values().forEach(departure::arrived);
    this.files = new ConfigurationFiles(directory);
    files.read(first.texts());
    this.revisions = revisions;
    this.current = first;
    this.number = number;
  }

  // ---------------------------------------------------------------- what administrators want

  @Override
  public synchronized List<String> reload(String author) {
    return reload(read(), author);
  }

  /**
   * The same for who has seen that a file has changed. Where it was the proxy that has written the
   * files, or what changed is behind a reference, what is in force is read again instead: changes
   * by statements that are not saved stay.
   *
   * @throws ConfigurationRefusedException with everything that is wrong: nothing has changed then
   */
  synchronized List<String> follow(String author) {
    Configuration wanted = read();
    return files.hold(wanted.texts())
        ? apply(valid(() -> loader.load(current.texts(), directory)), author)
        : reload(wanted, author);
  }

  private List<String> reload(Configuration wanted, String author) {
    List<String> changes = apply(wanted, author);
    if (changes.isEmpty()) {
      // written otherwise, it says the same
      current = wanted;
    }
    files.read(wanted.texts());
    return changes;
  }

  @Override
  public synchronized List<String> change(
      UnaryOperator<ConfigurationDocuments> edit, String author) {
    List<ConfigurationText> texts;
    try {
      texts = edit.apply(ConfigurationDocuments.of(current.texts())).texts();
    } catch (UneditableException uneditable) {
      throw new ConfigurationRefusedException(List.of(String.valueOf(uneditable.getMessage())));
    }
    return apply(valid(() -> loader.load(texts, directory)), author);
  }

  @Override
  public synchronized List<String> save() {
    return files.save(current.texts());
  }

  @Override
  public ConfigurationText read(String path) {
    return GivenFile.read(directory, path);
  }

  @Override
  public synchronized List<String> difference() {
    return changes(read());
  }

  @Override
  public synchronized Configuration current() {
    return current;
  }

  @Override
  public SortedSet<String> types(AlgorithmKind kind) {
    return loader.types(kind);
  }

  @Override
  public List<Version> history() {
    return revisions.versions();
  }

  @Override
  public List<ClusterMember> members() {
    return revisions.members();
  }

  /**
   * What a proxy of a cluster starts with: the shared configuration, but for what a proxy takes at
   * its start only, like sockets, threads and memory. That is each machine's own.
   *
   * @param own its own files
   * @param shared what the cluster has agreed on
   */
  public static Configuration started(Configuration own, Configuration shared) {
    RuleSet rules = shared.ruleSet();
    var combined =
        new RuleSet(
            rules.version(),
            rules.databases(),
            rules.authority(),
            LiveProperties.of(own.ruleSet().properties(), rules.properties()),
            LiveProperties.of(own.ruleSet().transactions(), rules.transactions()),
            rules.protection());
    return new Configuration(
        combined,
        shared.notices(),
        shared.outlines(),
        shared.texts(),
        shared.settings(),
        shared.listeners(),
        own.repository());
  }

  /** The number of what is in force. */
  public long number() {
    return number;
  }

  /**
   * Puts in force what others have agreed on.
   *
   * @param agreed its number among all
   * @param author who wanted it
   * @param known notes it as the latest: run just before it is in force, and before any change
   *     after it; not run if it does not come into force
   * @return what has changed, a line each; empty if nothing has
   * @throws ConfigurationRefusedException with everything that is wrong: nothing has changed then
   */
  public synchronized List<String> take(
      long agreed, String author, List<ConfigurationText> texts, Runnable known) {
    if (agreed < number) {
      // while this one was fetched, changes made here have gone past it
      return List.of();
    }
    Configuration wanted = valid(() -> loader.load(texts, directory));
    List<String> changes =
        apply(
            wanted,
            author,
            _ -> {
              known.run();
              return agreed;
            });
    if (changes.isEmpty()) {
      known.run();
      current = wanted;
      number = agreed;
    }
    return changes;
  }

  @Override
  public synchronized List<String> rollback(String author) {
    List<ConfigurationText> previous = revisions.before(number);
    if (previous == null) {
      throw new ConfigurationRefusedException(List.of("no other one is known"));
    }
    return apply(valid(() -> loader.load(previous, directory)), author + " (rollback)");
  }

  private Configuration read() {
    Configuration wanted = valid(() -> loader.load(directory));
    List<String> emptied =
        wanted.ruleSet().databases().values().stream()
            .filter(this::isEmptied)
            .map(each -> wanted.place(each.name()) + ": dataSources: " + EMPTIED)
            .toList();
    if (!emptied.isEmpty()) {
      throw new ConfigurationRefusedException(emptied);
    }
    return wanted;
  }

  /** Its file has lost what the database has: somebody may still be writing it. */
  private boolean isEmptied(LogicalDatabase wanted) {
    LogicalDatabase now = current.ruleSet().database(wanted.name());
    return wanted.isEmpty() && now != null && !now.isEmpty();
  }

  private Configuration valid(Supplier<Configuration> reading) {
    Configuration next;
    try {
      next = reading.get();
    } catch (ConfigurationException e) {
      throw new ConfigurationRefusedException(
          e.problems().stream().map(Problem::toString).toList());
    }
    List<String> problems = parts.checks().apply(next.ruleSet());
    if (!problems.isEmpty()) {
      throw new ConfigurationRefusedException(problems);
    }
    return next;
  }

  // ---------------------------------------------------------------- what changes

  private List<String> changes(Configuration next) {
    var changes = new ArrayList<String>();
    for (String change : current.outlines().changesTo(next.outlines())) {
      changes.add(LiveProperties.told(change));
    }
    if (changes.stream().noneMatch(change -> change.startsWith("global: authority"))
        && !next.ruleSet().authority().equals(current.ruleSet().authority())) {
      changes.add("global: authority: " + REFERENCE);
    }
    if (changes.stream().noneMatch(change -> change.contains(TOKEN))
        && !token(next).equals(token(current))) {
      changes.add("global: props." + TOKEN + ": " + REFERENCE);
    }
    if (changes.stream().noneMatch(change -> change.startsWith("global: " + LISTENERS))
        && !hasSameListeners(next)) {
      changes.add("global: " + LISTENERS + ": " + REFERENCE);
    }
    if (renewedTls() != null) {
      changes.add(CERTIFICATE);
    }
    next.ruleSet()
        .databases()
        .forEach(
            (name, database) -> {
              LogicalDatabase before = current.ruleSet().database(name);
              if (before != null && isSameText(name, next)) {
                addSecrets(name, before, database, changes);
              }
            });
    return changes;
  }

  /**
   * What the certificate's files say, if that is something new.
   *
   * @throws ConfigurationRefusedException if they cannot be used
   */
  private @Nullable ClientTls renewedTls() {
    TlsInForce tls = parts.tls();
    try {
      return tls == null ? null : tls.renewed();
    } catch (TlsException unusable) {
      throw new ConfigurationRefusedException(List.of(String.valueOf(unusable.getMessage())));
    }
  }

  private boolean hasSameListeners(Configuration next) {
    List<ListenerDefinition> before = current.listeners();
    List<ListenerDefinition> after = next.listeners();
    return before.size() == after.size()
        && IntStream.range(0, before.size()).allMatch(i -> before.get(i).says(after.get(i)));
  }

  private static String token(Configuration of) {
    return of.ruleSet().properties().admin().token();
  }

  /** What differs although the text is the same. */
  private static void addSecrets(
      String name, LogicalDatabase before, LogicalDatabase after, List<String> changes) {
    if (!before.dataSources().equals(after.dataSources())) {
      changes.add("database " + name + ": dataSources: " + REFERENCE);
    }
    if (!before.encryption().equals(after.encryption())) {
      changes.add("database " + name + ": rules.!ENCRYPT.encryptors: " + REFERENCE);
    }
  }

  private boolean isSameText(String name, Configuration next) {
    Outline before = current.outlines().database(name);
    return before.equals(next.outlines().database(name));
  }

  /** Whether groups are as they were, whatever has become of the tables. */
  private boolean hasSameServers(String name, LogicalDatabase before, Configuration next) {
    LogicalDatabase after = next.ruleSet().database(name);
    String[] groups = {"rules", "!READWRITE_SPLITTING"};
    return after != null
        && before.dataSources().equals(after.dataSources())
        && current
            .outlines()
            .database(name)
            .part(groups)
            .equals(next.outlines().database(name).part(groups));
  }

  // ---------------------------------------------------------------- into force

  private List<String> apply(Configuration wanted, String author) {
    return apply(wanted, author, changes -> revisions.add(number, author, changes, wanted.texts()));
  }

  /**
   * @param numbering the last that may refuse what has been tried out
   */
  private List<String> apply(
      Configuration wanted, String author, ToLongFunction<List<String>> numbering) {
    List<String> changes = changes(wanted);
    if (changes.isEmpty()) {
      return changes;
    }
    Next prepared = prepare(wanted);
    tryOut(wanted, prepared);
    ClientTls renewed = renewedTls();
    long next = numbered(prepared, changes, numbering);
    wanted.notices().forEach(notice -> log.warn("configuration: {}", notice));
    prepared.restarted().forEach(DatabaseStarter::startWatching);
    if (renewed != null && parts.tls() != null) {
      parts.tls().replace(renewed);
    }
    parts.keys().follow(prepared.databases().values());
    parts.listeners().follow(wanted.listeners());
    Deployment before = swap(wanted.ruleSet(), prepared);
    before.relay().tablesChanged();
    prepared.restarted().forEach(parts.users()::joined);
    prepared.databases().values().stream()
        .filter(each -> !running.containsValue(each))
        .forEach(departure::arrived);
    departure.leave(prepared.replaced(), prepared.databases().values());
    running = prepared.databases();
    parts.created().askNew(CREATED_KNOWN_MILLISECONDS);
    current = wanted;
    number = next;
    log.info("configuration {} is in force, by {}", next, author);
    changes.forEach(change -> log.info("configuration: {}", change));
    return changes;
  }

  private long numbered(
      Next prepared, List<String> changes, ToLongFunction<List<String>> numbering) {
    try {
      return numbering.applyAsLong(changes);
    } catch (ConfigurationRefusedException refused) {
      abandon(prepared.restarted());
      throw refused;
    }
  }

  private Next prepare(Configuration wanted) {
    var databases = new LinkedHashMap<String, RunningDatabase>();
    var restarted = new ArrayList<RunningDatabase>();
    var replaced = new ArrayList<>(running.values());
    var problems = new ArrayList<String>();
    for (Map.Entry<String, LogicalDatabase> entry : wanted.ruleSet().databases().entrySet()) {
      String name = entry.getKey();
      RunningDatabase former = running.get(name);
      boolean isServed = former != null && hasSameServers(name, former.database(), wanted);
      boolean hasSameKeys =
          former != null && former.database().encryption().equals(entry.getValue().encryption());
      if (former != null && isServed && hasSameKeys && isSameText(name, wanted)) {
        databases.put(name, former);
        replaced.remove(former);
      } else if (former != null && isServed) {
        databases.put(name, parts.starter().withRules(entry.getValue(), former));
      } else {
        RunningDatabase made = made(entry.getValue(), former, problems);
        if (made != null) {
          restarted.add(made);
          databases.put(name, made);
        }
      }
    }
    refuse(problems, restarted);
    return new Next(databases, restarted, replaced);
  }

  /** Null, and reported, if a data source cannot be used. */
  private @Nullable RunningDatabase made(
      LogicalDatabase database, @Nullable RunningDatabase former, List<String> problems) {
    try {
      return parts.starter().make(database, former);
    } catch (IllegalArgumentException unusable) {
      problems.add("database " + database.name() + ": " + unusable.getMessage());
      return null;
    }
  }

  /** A data source that was in force before may be down: it is not what changes. */
  private void tryOut(Configuration wanted, Next next) {
    var problems = new ArrayList<String>();
    for (RunningDatabase each : next.databases().values()) {
      RunningDatabase former = running.get(each.key());
      if (!running.containsValue(each)) {
        List<String> added =
            next.restarted().contains(each)
                ? each.desk().sourcesBeside(former == null ? List.of() : List.of(former.desk()))
                : List.of();
        DryRun.Findings findings =
            new DryRun(wanted, each.database(), Set.copyOf(added)).run(each.desk()::asker);
        problems.addAll(findings.problems());
        findings.notices().forEach(notice -> log.warn("configuration: {}", notice));
      }
    }
    refuse(problems, next.restarted());
  }

  private void refuse(List<String> problems, List<RunningDatabase> made) {
    if (problems.isEmpty()) {
      return;
    }
    abandon(made);
    throw new ConfigurationRefusedException(problems);
  }

  /** What was made for a configuration that does not come into force. */
  private void abandon(List<RunningDatabase> made) {
    List<HikariLeaseDesk> others = running.values().stream().map(RunningDatabase::desk).toList();
    for (RunningDatabase each : made) {
      each.watching().close();
      each.describing().close();
      var _ = each.desk().leaveTo(others);
    }
  }

  /** Returns what was in force. */
  private Deployment swap(RuleSet wanted, Next next) {
    for (RunningDatabase former : next.replaced()) {
      parts.created().leave(former.backend());
    }
    next.databases().keySet().forEach(parts.created()::yieldTo);
    next.databases().values().stream()
        .filter(each -> !running.containsValue(each))
        .forEach(each -> parts.created().follow(each.backend(), each.watching(), each.desk()));
    return deployment.getAndUpdate(current -> of(current, wanted, next));
  }

  private Deployment of(Deployment current, RuleSet wanted, Next next) {
    var backends = new LinkedHashMap<String, Backend>();
    next.databases().forEach((name, each) -> backends.put(name, each.backend()));
    current
        .backends()
        .forEach(
            (name, backend) -> {
              if (!running.containsKey(name)) {
                // clients have created it
                backends.putIfAbsent(name, backend);
              }
            });
    RuleSet live =
        new RuleSet(
            wanted.version(),
            wanted.databases(),
            wanted.authority(),
            LiveProperties.of(current.rules().properties(), wanted.properties()),
            LiveProperties.of(current.rules().transactions(), wanted.transactions()),
            wanted.protection());
    return current.with(
        live, current.realm().with(live), parts.walkers().apply(live), backends, parts.planners());
  }

  /** Closes all databases, in force or not. */
  public void close() {
    RunningDatabase.end(departure.present());
  }
}

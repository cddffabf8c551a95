package io.anabranch.app.live;

import io.anabranch.app.check.DryRun;
import io.anabranch.backend.execute.PlanWalker;
import io.anabranch.backend.pool.HikariLeaseDesk;
import io.anabranch.frontend.configuration.ConfigurationControl;
import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.tls.ClientTls;
import io.anabranch.frontend.tls.TlsException;
import io.anabranch.frontend.tls.TlsInForce;
import io.anabranch.rules.config.Configuration;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.config.document.ConfigurationDocuments;
import io.anabranch.rules.config.document.UneditableException;
import io.anabranch.rules.config.outline.Outline;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.config.yaml.Problem;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.RuleSet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
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
  private static final String TOKEN = "proxy-admin-token";

  private final ConfigurationLoader loader;
  private final Path directory;
  private final Parts parts;
  private final AtomicReference<Deployment> deployment;
  private final Departure departure;
  private final History history = new History();
  private final ConfigurationFiles files;

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
   * @param tls the certificate that clients are shown; null: none
   */
  public record Parts(
      DatabaseStarter starter,
      ServerUsers users,
      CreatedDatabases created,
      Deployment.Planners planners,
      Function<RuleSet, PlanWalker> walkers,
      Function<RuleSet, List<String>> checks,
      @Nullable TlsInForce tls) {}

  /** What is about to be put in force. */
  private record Next(
      Map<String, RunningDatabase> databases,
      List<RunningDatabase> restarted,
      List<RunningDatabase> replaced) {}

  /**
   * @param first in force already
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
    history.add(first, "start", List.of());
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
        ? apply(valid(() -> loader.load(history.current().texts(), directory)), author)
        : reload(wanted, author);
  }

  private List<String> reload(Configuration wanted, String author) {
    List<String> changes = apply(wanted, author);
    if (changes.isEmpty()) {
      history.reword(wanted);
    }
    files.read(wanted.texts());
    return changes;
  }

  @Override
  public synchronized List<String> change(
      UnaryOperator<ConfigurationDocuments> edit, String author) {
    List<ConfigurationText> texts;
    try {
      texts = edit.apply(ConfigurationDocuments.of(history.current().texts())).texts();
    } catch (UneditableException uneditable) {
      throw new ConfigurationRefusedException(List.of(String.valueOf(uneditable.getMessage())));
    }
    return apply(valid(() -> loader.load(texts, directory)), author);
  }

  @Override
  public synchronized List<String> save() {
    return files.save(history.current().texts());
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
    return history.current();
  }

  @Override
  public synchronized List<Version> history() {
    return history.versions();
  }

  @Override
  public synchronized List<String> rollback(String author) {
    Configuration previous = history.previous();
    if (previous == null) {
      throw new ConfigurationRefusedException(List.of("there was no other one since the start"));
    }
    return apply(valid(() -> loader.load(previous.texts(), directory)), author + " (rollback)");
  }

  private Configuration read() {
    return valid(() -> loader.load(directory));
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
    Configuration current = history.current();
    var changes = new ArrayList<String>();
    for (String change : current.outlines().changesTo(next.outlines())) {
      changes.add(LiveProperties.told(change));
    }
    if (changes.stream().noneMatch(change -> change.startsWith("global: authority"))
        && !next.ruleSet().authority().equals(current.ruleSet().authority())) {
      changes.add("global: authority: what a reference stands for has changed");
    }
    if (changes.stream().noneMatch(change -> change.contains(TOKEN))
        && !token(next).equals(token(current))) {
      changes.add("global: props." + TOKEN + ": what a reference stands for has changed");
    }
    if (renewedTls() != null) {
      changes.add(CERTIFICATE);
    }
    next.ruleSet()
        .databases()
        .forEach(
            (name, database) -> {
              LogicalDatabase before = current.ruleSet().databases().get(name);
              if (before != null && hasOtherSecrets(name, before, database, next)) {
                changes.add(
                    "database " + name + ": dataSources: what a reference stands for has changed");
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

  private static String token(Configuration of) {
    return of.ruleSet().properties().admin().token();
  }

  private boolean hasOtherSecrets(
      String name, LogicalDatabase before, LogicalDatabase after, Configuration next) {
    return isSameText(name, next) && !before.dataSources().equals(after.dataSources());
  }

  private boolean isSameText(String name, Configuration next) {
    Outline before = history.current().outlines().database(name);
    return before.equals(next.outlines().database(name));
  }

  /** Whether groups are as they were, whatever has become of the tables. */
  private boolean hasSameServers(String name, LogicalDatabase before, Configuration next) {
    LogicalDatabase after = next.ruleSet().databases().get(name);
    String[] groups = {"rules", "!READWRITE_SPLITTING"};
    return after != null
        && before.dataSources().equals(after.dataSources())
        && history
            .current()
            .outlines()
            .database(name)
            .part(groups)
            .equals(next.outlines().database(name).part(groups));
  }

  // ---------------------------------------------------------------- into force

  private List<String> apply(Configuration wanted, String author) {
    List<String> changes = changes(wanted);
    if (changes.isEmpty()) {
      return changes;
    }
    Next next = prepare(wanted);
    tryOut(wanted, next);
    ClientTls renewed = renewedTls();
    wanted.notices().forEach(notice -> log.warn("configuration: {}", notice));
    next.restarted().forEach(DatabaseStarter::startWatching);
    if (renewed != null && parts.tls() != null) {
      parts.tls().replace(renewed);
    }
    Deployment before = swap(wanted.ruleSet(), next);
    before.relay().tablesChanged();
    next.restarted().forEach(parts.users()::joined);
    next.databases().values().stream()
        .filter(each -> !running.containsValue(each))
        .forEach(departure::arrived);
    departure.leave(next.replaced(), next.databases().values());
    running = next.databases();
    parts.created().askNew(CREATED_KNOWN_MILLISECONDS);
    history.add(wanted, author, changes);
    log.info("configuration {} is in force, by {}", history.versions().getFirst().number(), author);
    changes.forEach(change -> log.info("configuration: {}", change));
    return changes;
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
      if (former != null && isServed && isSameText(name, wanted)) {
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
    List<HikariLeaseDesk> others = running.values().stream().map(RunningDatabase::desk).toList();
    for (RunningDatabase each : made) {
      each.watching().close();
      each.describing().close();
      var _ = each.desk().leaveTo(others);
    }
    throw new ConfigurationRefusedException(problems);
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

package io.anabranch.frontend.server;

import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.frontend.auth.AccountDesk;
import io.anabranch.frontend.auth.FailedLogins;
import io.anabranch.frontend.command.AnswerWatch;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionListener;
import io.anabranch.frontend.session.SessionRegistry;
import io.anabranch.frontend.transport.SocketFile;
import io.anabranch.frontend.transport.Transport;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.ClientProperties.Limits;
import io.anabranch.rules.model.protection.Protection;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The port, and the socket file, that MySQL clients connect to. Thread-safe.
 *
 * <p>Order of an end: {@link #drain}, {@link #close}, then whoever made them ends the pools and the
 * event loops.
 */
public final class ProxyServer implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ProxyServer.class);

  /** While it drains, it says so often whom it waits for. */
  private static final long WORD_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long CUT_OFF_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LOOK_MILLISECONDS = 100;

  /** How long work for clients that have gone may take. */
  private static final long MOST_BACKGROUND_SECONDS = 10;

  /** Between two looks at clients that are to go. */
  private static final long SWEEP_MILLISECONDS = 200;

  /** HikariCP asks connections that have rested for 500 ms; the rest is for the way. */
  private static final long PAUSE_MILLISECONDS = 550;

  private static final int MOST_NAMED = 8;

  /** Above 64 KiB the relay stops reading the database, below 32 KiB it goes on. */
  private static final WriteBufferWaterMark WATER_MARKS =
      new WriteBufferWaterMark(32 * 1024, 64 * 1024);

  private final ServerSettings settings;
  private final Transport transport;
  private final EventLoopGroup loops;
  private final Supplier<Deployment> deployments;
  private final SessionListener listener;
  private final MemoryBudget memory;
  private final SessionRegistry registry;
  private final AnswerWatch answers;
  private final ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();
  private final AccountDesk accounts = new AccountDesk(System::nanoTime);
  private final Door door;
  private volatile boolean isHurried;
  private final ChannelGroup clients =
      new DefaultChannelGroup("clients", GlobalEventExecutor.INSTANCE);
  private volatile @Nullable Channel port;
  private volatile @Nullable Channel filePort;
  private volatile @Nullable ScheduledFuture<?> limitCheck;
  private volatile @Nullable ScheduledFuture<?> memoryWatch;
  private @Nullable ScheduledFuture<?> sweep;

  /**
   * Opens nothing yet.
   *
   * @param loops of {@code transport}; shared with the backend, not ended here
   * @param deployments the rule set in force, asked for each statement
   * @param memory what clients may make the proxy keep
   */
  public ProxyServer(
      ServerSettings settings,
      Transport transport,
      EventLoopGroup loops,
      Supplier<Deployment> deployments,
      SessionListener listener,
      MemoryBudget memory) {
    this.memory = memory;
    this.settings = settings;
    this.transport = transport;
    this.loops = loops;
    this.deployments = deployments;
    this.listener = listener;
    this.door = new Door(settings.ending());
    Supplier<Protection> protection = () -> deployments.get().rules().protection();
    this.registry = new SessionRegistry(protection, memory);
    this.answers = new AnswerWatch(registry, protection);
  }

  /**
   * Binds the port, and the socket file if there is one, and accepts clients from then on.
   *
   * @return where it listens, the real port included
   * @throws UncheckedIOException if the file cannot be bound
   * @throws RuntimeException if the address cannot be bound
   */
  public InetSocketAddress start() {
    var services =
        new ClientServices(
            settings,
            ServerCapabilities.offered(settings.clients(), settings.tls() != null),
            deployments,
            registry,
            listener,
            this::inBackground,
            new FailedLogins(settings.clients().lockout(), System::nanoTime),
            accounts,
            new SecureRandom(),
            door,
            clients,
            new ViolationLog(System::nanoTime),
            memory);
    Channel bound =
        listening(transport.serverChannel(), services)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .bind(settings.address())
            .syncUninterruptibly()
            .channel();
    port = bound;
    SocketFile file = settings.file();
    if (file != null) {
      listenOn(file, services);
    }
    limitCheck = loops.scheduleWithFixedDelay(this::limitTransactions, 1, 1, TimeUnit.SECONDS);
    long every = MemoryWatch.EVERY_MILLISECONDS;
    memoryWatch =
        loops.scheduleWithFixedDelay(
            new MemoryWatch(memory, registry)::look, every, every, TimeUnit.MILLISECONDS);
    return (InetSocketAddress) bound.localAddress();
  }

  private ServerBootstrap listening(
      Class<? extends ServerChannel> channels, ClientServices services) {
    return new ServerBootstrap()
        .group(loops)
        .channel(channels)
        .option(ChannelOption.SO_BACKLOG, settings.backlog())
        // what a client has sent before it closed its side is run, and answered
        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARKS)
        .childHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                Limits limits = settings.clients().limits();
                Transport.watch(
                    channel,
                    limits.keepAliveSeconds(),
                    Math.toIntExact(limits.writeTimeoutSeconds()));
                ClientHandler.install(channel, services);
              }
            });
  }

  private void listenOn(SocketFile file, ClientServices services) {
    try {
      file.prepare();
      filePort =
          listening(transport.fileChannel(), services)
              .bind(file.address(transport))
              .syncUninterruptibly()
              .channel();
      file.open();
    } catch (Exception e) {
      // Netty throws checked exceptions of the system without declaring them.
      closePort();
      throw new UncheckedIOException(
          "socket " + file + ": " + e.getMessage(),
          e instanceof IOException io ? io : new IOException(e));
    }
  }

  public SessionRegistry sessions() {
    return registry;
  }

  /**
   * Whether sessions are sent away when they look, or are silent, though new ones are accepted.
   *
   * @param whether false: nobody is sent away any more
   */
  public synchronized void sendAway(boolean whether) {
    if (door.isOpen()) {
      drain(whether ? Drain.WHO_RESTS : Drain.NOBODY, Long.MAX_VALUE);
    }
  }

  /** Whether sessions are sent away. */
  public boolean isSendingAway() {
    return door.drain() != Drain.NOBODY;
  }

  /**
   * Accepts clients for a while, which load balancers need to learn that they shall send nobody;
   * then stops accepting and sends clients away: those who look whether their connection is alive
   * or are silent, after some patience those who pause, and in the end everyone whose statement or
   * transaction has ended. Blocks.
   *
   * @param lameDuck how long clients are still accepted
   * @return whether all had gone within the settings' time
   */
  public boolean drain(Duration lameDuck) {
    try {
      if (!lameDuck.isZero()) {
        log.info("ending: accepts clients for another {}", lameDuck);
        awaitNobody(lameDuck, false);
      }
      door.close();
      closePort();
      long limit = settings.ending().timeoutMilliseconds();
      long patience = Math.min(settings.ending().patienceMilliseconds(), limit);
      long pauses = (limit - patience) / 2;
      log.info(
          "draining: {} client(s) connected, those with work have {}",
          clients.size(),
          Duration.ofMillis(limit));
      if (areGone(Drain.WHO_RESTS, Long.MAX_VALUE, patience)
          || areGone(Drain.WHO_RESTS, PAUSE_MILLISECONDS, pauses)
          || areGone(Drain.WHO_IS_DONE, PAUSE_MILLISECONDS, limit - patience - pauses)) {
        log.info("drained: all clients have finished");
        return true;
      }
      log.warn(
          "cut off {}: {}",
          isHurried ? "at once" : "after " + Duration.ofMillis(limit),
          whoIsLeft());
      drain(Drain.EVERYBODY, 0);
      awaitCutOff();
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean areGone(Drain whom, long quiet, long milliseconds) throws InterruptedException {
    drain(whom, quiet);
    return awaitNobody(Duration.ofMillis(milliseconds), true);
  }

  /** A moment for the last answers: statements are told to end, and databases to end them. */
  private void awaitCutOff() throws InterruptedException {
    long start = System.nanoTime();
    while (!clients.isEmpty() && System.nanoTime() - start < CUT_OFF_NANOS) {
      clients.newCloseFuture().await(LOOK_MILLISECONDS, TimeUnit.MILLISECONDS);
    }
  }

  /**
   * On a virtual thread.
   *
   * @throws RefusedException 1053 when the proxy has ended
   */
  private void inBackground(Runnable task) {
    try {
      background.execute(task);
    } catch (RejectedExecutionException ended) {
      log.debug("not begun: the proxy ends", ended);
      throw ErrorCatalogue.SERVER_SHUTDOWN.refuse();
    }
  }

  private synchronized void drain(Drain whom, long quiet) {
    door.drain(whom, quiet);
    ScheduledFuture<?> former = sweep;
    if (former != null) {
      former.cancel(false);
      sweep = null;
    }
    if (whom != Drain.NOBODY) {
      sweep =
          loops.scheduleWithFixedDelay(this::sweep, 0, SWEEP_MILLISECONDS, TimeUnit.MILLISECONDS);
    }
  }

  private void sweep() {
    Drain whom = door.drain();
    for (Channel client : clients) {
      client.eventLoop().execute(() -> client.pipeline().fireUserEventTriggered(whom));
    }
  }

  /**
   * @param isEnough that nobody is there, before the time is over
   * @return whether nobody is there
   */
  private boolean awaitNobody(Duration limit, boolean isEnough) throws InterruptedException {
    long start = System.nanoTime();
    long nextWord = start + WORD_NANOS;
    while (!isHurried && System.nanoTime() - start < limit.toNanos()) {
      if (clients.isEmpty() && isEnough) {
        return true;
      }
      if (System.nanoTime() - nextWord >= 0) {
        nextWord += WORD_NANOS;
        log.info("{} {}", isEnough ? "draining: waiting for" : "ending:", whoIsLeft());
      }
      if (clients.isEmpty()) {
        Thread.sleep(LOOK_MILLISECONDS);
      } else {
        clients.newCloseFuture().await(LOOK_MILLISECONDS, TimeUnit.MILLISECONDS);
      }
    }
    return clients.isEmpty();
  }

  /** A {@link #drain} that runs, or comes, waits for nobody. */
  public void hurry() {
    isHurried = true;
  }

  /** How many clients there are, and what the first of them do. */
  private String whoIsLeft() {
    String first =
        registry.all().stream()
            .limit(MOST_NAMED)
            .map(Session::activity)
            .map(
                each ->
                    "%d %s@%s %s".formatted(each.id(), each.user(), each.host(), each.command()))
            .collect(Collectors.joining(", "));
    return clients.size() + " client(s): " + first;
  }

  /** Closes all that is open at once; transactions of clients are rolled back. */
  @Override
  public void close() {
    door.close();
    drain(Drain.NOBODY, 0);
    closePort();
    ScheduledFuture<?> check = limitCheck;
    if (check != null) {
      check.cancel(false);
    }
    ScheduledFuture<?> watch = memoryWatch;
    if (watch != null) {
      watch.cancel(false);
    }
    clients.close().syncUninterruptibly();
    // Sessions hand their rollbacks over when their loops tell them of the end: that is queued once
    // the close is done, so behind the first round and in front of the second.
    awaitLoops();
    awaitLoops();
    endBackground();
  }

  /** What a thread still does for a client that has gone does not keep the process. */
  private void endBackground() {
    background.shutdown();
    try {
      if (!background.awaitTermination(MOST_BACKGROUND_SECONDS, TimeUnit.SECONDS)) {
        log.warn("work of clients that have gone did not end and is given up");
        background.shutdownNow();
      }
    } catch (InterruptedException _) {
      background.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private void awaitLoops() {
    for (EventExecutor loop : loops) {
      loop.submit(() -> {}).syncUninterruptibly();
    }
  }

  private void closePort() {
    Channel bound = port;
    if (bound != null) {
      bound.close().syncUninterruptibly();
    }
    Channel ofFile = filePort;
    SocketFile file = settings.file();
    if (ofFile != null && file != null && ofFile.isOpen()) {
      ofFile.close().syncUninterruptibly();
      try {
        file.remove();
      } catch (IOException e) {
        log.warn("the socket {} cannot be removed: {}", file, e.toString());
      }
    }
  }

  private void limitTransactions() {
    registry.limits().refresh();
    registry.rules().refresh();
    answers.look();
    for (Session session : registry.all()) {
      session.channel().pipeline().fireUserEventTriggered(ClientHandler.Due.LIMITS);
    }
  }
}

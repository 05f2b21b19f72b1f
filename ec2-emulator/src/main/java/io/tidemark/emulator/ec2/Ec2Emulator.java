package io.tidemark.emulator.ec2;

import io.tidemark.emulator.ec2.action.Actions;
import io.tidemark.emulator.ec2.admin.Admin;
import io.tidemark.emulator.ec2.http.Ec2Handler;
import io.tidemark.emulator.ec2.http.HttpFront;
import io.tidemark.emulator.ec2.model.Ec2Model;
import io.tidemark.emulator.ec2.model.ModelOptions;
import io.tidemark.emulator.ec2.pace.FaultRule;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import io.tidemark.time.TimeSource;
import io.tidemark.time.WorkerPool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Set;

/**
 * An emulated EC2. In a test or a simulation make one with {@link #in} and hand {@link #handler()}
 * to an {@link io.tidemark.emulator.ec2.http.InProcessClient}; to be called over HTTP {@link
 * #listen} starts one in real time. Thread-safe.
 */
public final class Ec2Emulator {
  private static final int THREADS = 8;
  private static final int WAITING_REQUESTS_MAX = 10_000;

  private final Ec2Handler handler;

  private Ec2Emulator(Ec2Handler handler) {
    this.handler = handler;
  }

  /** An emulator in the time that {@code time} shows; it starts no thread. */
  public static Ec2Emulator in(TimeSource time, ModelOptions options) {
    return new Ec2Emulator(new Ec2Handler(new Ec2Model(options, Actions.all()), time));
  }

  /**
   * An emulator in real time that listens on a port of this machine's loopback address.
   *
   * @param port 0 for one of the system's choice
   * @throws IOException when the port is taken
   */
  public static Listening listen(int port, ModelOptions options) throws IOException {
    Ec2Emulator emulator = in(SystemTime.instance(), options);
    ThreadTaskScheduler scheduler =
        ThreadTaskScheduler.start("ec2-emulator-timer", SystemTime.instance());
    WorkerPool pool = new WorkerPool("ec2-emulator", THREADS, WAITING_REQUESTS_MAX);
    try {
      HttpFront front =
          HttpFront.start(
              emulator.handler,
              scheduler,
              pool,
              new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      Admin admin = new Admin(emulator.handler, () -> new Ec2Model(options, Actions.all()));
      front.open(Admin.PATH, admin::answer);
      return new Listening(emulator, front, scheduler, pool);
    } catch (IOException e) {
      scheduler.close();
      pool.close();
      throw e;
    }
  }

  /** The door for requests, and to the model behind it. */
  public Ec2Handler handler() {
    return handler;
  }

  /** Puts these rules in the place of those before. */
  public void faults(List<FaultRule> rules) {
    handler.use(
        model -> {
          model.faults().set(rules);
          return rules;
        });
  }

  /** Denies these actions to a principal, an access key id, or to everybody as {@code *}. */
  public void deny(String principal, Set<String> actions) {
    handler.use(
        model -> {
          model.denials().set(principal, actions);
          return actions;
        });
  }

  /**
   * Shares a subnet with these accounts alone, as its owner does in AWS Resource Access Manager.
   *
   * @throws IllegalArgumentException when the region has no such subnet
   */
  public void share(String region, String subnetId, Set<String> accounts) {
    handler.use(
        model -> {
          model.share(region, subnetId, accounts, handler.now());
          return accounts;
        });
  }

  /** An emulator with its port and its threads; {@link #close} ends both. */
  public static final class Listening implements AutoCloseable {
    private final Ec2Emulator emulator;
    private final HttpFront front;
    private final ThreadTaskScheduler scheduler;
    private final WorkerPool pool;

    private Listening(
        Ec2Emulator emulator, HttpFront front, ThreadTaskScheduler scheduler, WorkerPool pool) {
      this.emulator = emulator;
      this.front = front;
      this.scheduler = scheduler;
      this.pool = pool;
    }

    public Ec2Emulator emulator() {
      return emulator;
    }

    /** For {@code endpointOverride} of a client. */
    public URI endpoint() {
      return front.endpoint();
    }

    @Override
    public void close() {
      front.close();
      scheduler.close();
      pool.close();
    }
  }
}

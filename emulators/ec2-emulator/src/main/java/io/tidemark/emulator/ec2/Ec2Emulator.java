package io.tidemark.emulator.ec2;

import io.tidemark.emulator.ec2.action.Actions;
import io.tidemark.emulator.ec2.admin.Ec2Admin;
import io.tidemark.emulator.ec2.http.Ec2Handler;
import io.tidemark.emulator.ec2.imds.Imds;
import io.tidemark.emulator.ec2.model.Ec2Model;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.scenario.Ec2Scenario;
import io.tidemark.emulator.ec2.scenario.WorldBuilder;
import io.tidemark.emulator.kit.http.EmulatorFront;
import io.tidemark.emulator.kit.http.LocalPages;
import io.tidemark.emulator.kit.scenario.ScenarioProblem;
import io.tidemark.error.IpamException;
import io.tidemark.http.HttpListener;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import io.tidemark.time.SystemTime;
import io.tidemark.time.TimeSource;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * An emulated EC2. In a test or a simulation make one with {@link #in} and hand {@link #handler()}
 * to an {@link io.tidemark.emulator.ec2.http.InProcessClient}; to be called over HTTP {@link
 * #listen} starts one in real time. Thread-safe.
 */
public final class Ec2Emulator {
  /** No request to the metadata service has a body that matters. */
  private static final int METADATA_BODY_BYTES_MAX = 1 << 10;

  private final Ec2Handler handler;
  private final Ec2Scenario scenario;
  private final Optional<String> metadataInstance;

  private Ec2Emulator(Ec2Handler handler, Ec2Scenario scenario, Optional<String> metadataInstance) {
    this.handler = handler;
    this.scenario = scenario;
    this.metadataInstance = metadataInstance;
  }

  /** An emulator in the time that {@code time} shows; it starts no thread. */
  public static Ec2Emulator in(TimeSource time, Ec2ModelOptions options) {
    return in(time, Ec2Scenario.of(options));
  }

  /**
   * The same with a world in it.
   *
   * @throws IpamException when EC2 refuses a part of the scenario
   */
  public static Ec2Emulator in(TimeSource time, Ec2Scenario scenario) {
    Ec2Handler handler = new Ec2Handler(model(scenario), time);
    WorldBuilder.Built built = build(scenario, handler);
    handler.reset(built.world());
    return new Ec2Emulator(handler, scenario, built.metadataInstance());
  }

  private static WorldBuilder.Built build(Ec2Scenario scenario, Ec2Handler handler) {
    WorldBuilder.Built built = WorldBuilder.build(scenario, model(scenario), handler.now());
    if (!built.problems().isEmpty()) {
      throw ScenarioProblem.refusal(built.problems());
    }
    return built;
  }

  /**
   * An emulator in real time that listens on a port of this machine's loopback address.
   *
   * @param port 0 for one of the system's choice
   * @throws IOException when the port is taken
   */
  public static Listening listen(int port, Ec2ModelOptions options) throws IOException {
    return listen(ListenOptions.of(port, options));
  }

  /**
   * The same with all options.
   *
   * @throws IOException if a port is taken
   * @throws IpamException if EC2 refuses a part of the scenario; nothing was started then
   */
  public static Listening listen(ListenOptions options) throws IOException {
    Ec2Emulator emulator = in(SystemTime.instance(), options.scenario());
    Ec2Admin admin = new Ec2Admin(emulator.handler, emulator::reset);
    EmulatorFront front =
        EmulatorFront.start(
            "ec2-emulator",
            options.port(),
            new LocalPages(admin::answer, admin::welcome),
            emulator.handler::serve);
    try {
      Optional<HttpListener> metadata = Optional.empty();
      if (options.metadata().isPresent()) {
        metadata = Optional.of(emulator.listen(options.metadata().get()));
      }
      return new Listening(emulator, front, metadata);
    } catch (IOException e) {
      front.close();
      throw e;
    }
  }

  private HttpListener listen(ListenOptions.Metadata options) throws IOException {
    Function<HttpRequest, HttpResponse> imds = imds(options.setting());
    return HttpListener.start(
        "ec2-emulator-imds",
        EmulatorFront.loopback(options.port()),
        EmulatorFront.LIMITS.withBodyBytes(METADATA_BODY_BYTES_MAX),
        (request, reply) -> reply.send(imds.apply(request)));
  }

  private static Ec2Model model(Ec2Scenario scenario) {
    return new Ec2Model(scenario.options(), Actions.all());
  }

  /** The door for requests, and to the model behind it. */
  public Ec2Handler handler() {
    return handler;
  }

  /**
   * The metadata service of an instance, without a socket.
   *
   * @param setting the instance; missing values come from the scenario
   */
  public Function<HttpRequest, HttpResponse> imds(Imds.Setting setting) {
    Imds.Setting complete =
        new Imds.Setting(
            setting.instance().or(() -> metadataInstance),
            setting.role().or(() -> scenario.metadata().role()));
    Imds imds = new Imds(complete, scenario.options().seed());
    return request -> handler.use(world -> imds.answer(request, world, handler.now()));
  }

  /** Begins anew with the world of the start. */
  public void reset() {
    handler.reset(build(scenario, handler).world());
  }

  /** Puts these rules in the place of those before. */
  public void faults(List<Ec2FaultRule> rules) {
    handler.change(model -> model.faults().set(rules));
  }

  /**
   * Lets every read from now on see the state so long before it, at most as far as the options let
   * reads lag; empty for a lag that is drawn for each.
   */
  public void readsBehind(Optional<Duration> behind) {
    handler.change(model -> model.readsBehind(behind));
  }

  /** Denies these actions to a principal: an ARN, an access key id, or {@code *} for all. */
  public void deny(String principal, Set<String> actions) {
    handler.change(model -> model.denials().set(principal, actions));
  }

  /**
   * Shares a subnet with these accounts alone, as its owner does in AWS Resource Access Manager.
   *
   * @throws IllegalArgumentException when the region has no such subnet
   */
  public void share(String region, String subnetId, Set<String> accounts) {
    handler.change(model -> model.share(region, subnetId, accounts, handler.now()));
  }

  /** An emulator with its ports and its threads; {@link #close} ends them all. */
  public record Listening(
      Ec2Emulator emulator, EmulatorFront front, Optional<HttpListener> metadata)
      implements AutoCloseable {
    /** For {@code endpointOverride} of a client of EC2 or STS. */
    public URI endpoint() {
      return front.endpoint();
    }

    /**
     * The value for {@code AWS_EC2_METADATA_SERVICE_ENDPOINT}; empty without a metadata service.
     */
    public Optional<URI> metadataEndpoint() {
      return metadata.map(HttpListener::endpoint);
    }

    @Override
    public void close() {
      metadata.ifPresent(HttpListener::close);
      front.close();
    }
  }
}

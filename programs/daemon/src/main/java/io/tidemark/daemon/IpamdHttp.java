package io.tidemark.daemon;

import io.tidemark.config.ConfigReader;
import io.tidemark.config.Option;
import io.tidemark.daemon.ipamd.CniBackend;
import io.tidemark.daemon.ipamd.grpc.IpamdServer;
import io.tidemark.program.ListenAddress;
import io.tidemark.program.endpoint.Endpoints;
import io.tidemark.program.endpoint.Metering;
import io.tidemark.program.endpoint.Probes;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The state of {@code ipamd} over HTTP, at two addresses, until it is closed. */
final class IpamdHttp implements Probes, AutoCloseable {
  /** Before the path of a socket, as the AWS VPC CNI writes it. */
  private static final String UNIX = "unix:";

  private static final String PLAN = "/v1/plan";

  private final List<Endpoints> open = new ArrayList<>();
  private final List<String> places = new ArrayList<>();
  private final Supplier<String> plan;
  private volatile @Nullable Serving serving;

  private record Serving(IpamdServer server, CniBackend backend) {}

  /**
   * Where it listens.
   *
   * @param introspection where documents are served on the network
   * @param introspectionSocket the Unix socket where they are served instead; without either they
   *     are not served
   * @param metrics where metrics are
   * @param metering whether any are collected
   */
  record Addresses(
      Optional<InetSocketAddress> introspection,
      Optional<Path> introspectionSocket,
      InetSocketAddress metrics,
      boolean metering) {
    /** Reads the settings; a wrong one adds a problem. */
    static Addresses read(ConfigReader reader) {
      String text = IpamdKey.INTROSPECTION.read(reader);
      Optional<Path> socket = Optional.empty();
      Optional<InetSocketAddress> network = Optional.empty();
      if (text.startsWith(UNIX + "/")) {
        socket = Optional.of(Path.of(text.substring(UNIX.length())));
      } else {
        String orSocket = ", or " + UNIX + " and the absolute path of a socket";
        network = Optional.of(address(reader, IpamdKey.INTROSPECTION, orSocket));
      }
      boolean served = !IpamdKey.NO_INTROSPECTION.read(reader);
      return new Addresses(
          network.filter(address -> served),
          socket.filter(path -> served),
          address(reader, IpamdKey.METRICS, ""),
          IpamdKey.ENABLE_METRICS.read(reader));
    }

    /** An address and a port, or what {@code orElse} names. */
    private static InetSocketAddress address(
        ConfigReader reader, Option<String> option, String orElse) {
      return ListenAddress.parseWithPort(option.read(reader))
          .orElseGet(
              () -> {
                String usual = option.defaultText().orElseThrow();
                reader
                    .problems()
                    .invalid(
                        reader.source(),
                        option.key(),
                        "an address of this machine and a port, such as " + usual + orElse);
                return ListenAddress.parseWithPort(usual).orElseThrow();
              });
    }
  }

  /**
   * Listens from now on.
   *
   * @param documents by their paths
   * @throws io.tidemark.error.IpamException when it cannot listen
   */
  IpamdHttp(Addresses at, Metering metering, Map<String, Supplier<String>> documents) {
    this.plan = documents.getOrDefault(PLAN, () -> "{}");
    boolean started = false;
    try {
      Endpoints metrics =
          Endpoints.start(at.metrics().getAddress(), at.metrics().getPort(), metering, this);
      open.add(metrics);
      places.add("metrics on port " + metrics.port());
      at.introspection()
          .ifPresent(
              address -> {
                Endpoints introspection = Endpoints.start(address, this, documents);
                open.add(introspection);
                places.add("introspection on port " + introspection.port());
              });
      at.introspectionSocket().ifPresent(path -> listen(path, documents));
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  private void listen(Path path, Map<String, Supplier<String>> documents) {
    open.add(Endpoints.start(SocketFile.claim(path), this, documents));
    try {
      SocketFile.restrict(path);
    } catch (IOException e) {
      throw SocketFile.unusable(path, e);
    }
    places.add("introspection on " + path);
  }

  /** It serves the plugin from now on. */
  void serves(IpamdServer server, CniBackend backend) {
    serving = new Serving(server, backend);
  }

  String places() {
    return String.join(", ", places);
  }

  @Override
  public List<String> unhealthy() {
    Serving now = serving;
    return now == null || now.server().isServing()
        ? List.of()
        : List.of("the plugin is not answered any more");
  }

  @Override
  public List<String> unready() {
    Serving now = serving;
    return now == null ? List.of("ipamd is starting") : now.backend().unready().stream().toList();
  }

  @Override
  public void status(OutputStream out) throws IOException {
    out.write(plan.get().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    open.forEach(Endpoints::close);
    open.clear();
  }
}

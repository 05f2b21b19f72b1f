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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What {@code ipamd} says of itself over HTTP, at two addresses, until it is closed. */
final class IpamdHttp implements Probes, AutoCloseable {
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
   * @param introspection where documents are served; empty for nowhere
   * @param metrics where metrics are
   * @param metering whether any are collected
   */
  record Addresses(
      Optional<InetSocketAddress> introspection, InetSocketAddress metrics, boolean metering) {
    /** Reads the settings; a wrong one adds a problem. */
    static Addresses read(ConfigReader reader) {
      String text = IpamdKey.INTROSPECTION.read(reader);
      if (text.startsWith(UNIX)) {
        reader
            .problems()
            .invalid(
                reader.source(),
                IpamdKey.INTROSPECTION.key(),
                "an address of this machine and a port: introspection is not served on Unix sockets");
        text = IpamdKey.INTROSPECTION.defaultText().orElseThrow();
      }
      InetSocketAddress introspection = address(reader, IpamdKey.INTROSPECTION, text);
      return new Addresses(
          IpamdKey.NO_INTROSPECTION.read(reader) ? Optional.empty() : Optional.of(introspection),
          address(reader, IpamdKey.METRICS, IpamdKey.METRICS.read(reader)),
          IpamdKey.ENABLE_METRICS.read(reader));
    }

    private static InetSocketAddress address(
        ConfigReader reader, Option<String> option, String text) {
      return ListenAddress.parseWithPort(text)
          .orElseGet(
              () -> {
                String usual = option.defaultText().orElseThrow();
                reader
                    .problems()
                    .invalid(
                        reader.source(),
                        option.key(),
                        "an address of this machine and a port, such as " + usual);
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
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  /** It serves the plugin from now on. */
  void serves(IpamdServer server, CniBackend backend) {
    serving = new Serving(server, backend);
  }

  /** Where it listens, for people. */
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

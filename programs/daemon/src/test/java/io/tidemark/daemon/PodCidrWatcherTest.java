package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.testing.Samples;
import io.tidemark.time.StopSignal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

@DisplayName("The wait for the blocks of the node's object")
class PodCidrWatcherTest {
  private static final Duration NOW = Duration.ofMillis(1);

  private final StopSignal stop = new StopSignal();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(PodCidrWatcher.class);
  private final PodCidrWatcher watch =
      new PodCidrWatcher("n1", "the cluster", Set.of(IpFamily.IPV4, IpFamily.IPV6));

  @BeforeEach
  void listen() {
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void end() {
    logger.detachAppender(log);
  }

  private static NodeResource node(String name, String blocks) {
    return Samples.parsed(
        """
        {"apiVersion": "cilium.io/v2", "kind": "CiliumNode", "metadata": {"name": "%s"},
         "spec": {"ipam": {"podCIDRs": [%s]}}}
        """
            .formatted(name, blocks.isEmpty() ? "" : '"' + blocks.replace(" ", "\", \"") + '"'));
  }

  private Optional<List<Cidr>> found() throws InterruptedException {
    return watch.await(NOW, stop, List::of);
  }

  private List<String> warnings() {
    return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @ParameterizedTest(name = "[{0}] -> [{1}]")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          10.1.0.0/24                          | 10.1.0.0/24
          10.1.0.0/24 10.2.0.0/24 fd00::/64    | 10.1.0.0/24, fd00::/64
          fd00::/64 10.1.0.0/24                | 10.1.0.0/24, fd00::/64
          """)
  @DisplayName("it ends with the first block of each family, IPv4 first")
  void blocks(String given, String used) throws Exception {
    watch.synced();
    watch.upserted(node("n1", given));

    assertThat(found().orElseThrow()).hasToString('[' + used + ']');
  }

  @Test
  @DisplayName("logs each cause of a wait once, and reports the last one when it gives up")
  void causes() {
    watch.synced();
    watch.upserted(node("other", "10.9.0.0/24"));
    watch.upserted(node("n1", ""));
    watch.upserted(node("n1", ""));
    watch.upserted(node("n1", "10.1.0.0"));
    watch.refused("other", List.of(new ResourceProblem("n", "spec", "broken", "mend it")));

    assertThat(warnings())
        .hasSize(3)
        .allMatch(text -> text.startsWith("The agent waits for the addresses of its node."))
        .anySatisfy(text -> assertThat(text).contains("the cluster has no node n1"))
        .anySatisfy(text -> assertThat(text).contains("podCIDRs of node n1 is []"))
        .anySatisfy(text -> assertThat(text).contains("has '10.1.0.0', which is not a CIDR"));
    assertThatThrownBy(this::found)
        .hasMessageContaining("TM-1805 NODE_WITHOUT_ADDRESSES: not within 0 s: ")
        .hasMessageContaining("which is not a CIDR");
  }

  @Test
  @DisplayName("a family that is not served gives no block")
  void family() {
    PodCidrWatcher four = new PodCidrWatcher("n1", "the cluster", Set.of(IpFamily.IPV4));
    four.upserted(node("n1", "fd00::/64"));

    assertThatThrownBy(() -> four.await(NOW, stop, List::of))
        .hasMessageContaining("podCIDRs of node n1 is [fd00::/64]");
  }

  @Test
  @DisplayName("an object that cannot be read, or a server that cannot be asked, is the cause")
  void unreadable() {
    watch.refused(
        "n1", List.of(new ResourceProblem("CiliumNode n1", "spec.ipam", "broken", "mend it")));
    assertThatThrownBy(this::found)
        .hasMessageContaining("node n1 cannot be read: spec.ipam broken");
    assertThatThrownBy(() -> watch.await(NOW, stop, () -> List.of("the server is away")))
        .hasMessageContaining("not within 0 s: the server is away");
  }

  @Test
  @DisplayName("a stop ends it")
  void stopped() throws Exception {
    stop.request();

    assertThat(watch.await(Duration.ofDays(1), stop, List::of)).isEmpty();
  }

  @Test
  @DisplayName("logs later changes of the blocks once each, and keeps the first blocks")
  void changes() throws Exception {
    watch.upserted(node("n1", "10.1.0.0/24"));
    watch.upserted(node("n1", "10.1.0.0/24 10.2.0.0/24"));
    assertThat(warnings()).isEmpty();
    watch.upserted(node("n1", "10.2.0.0/24"));
    watch.upserted(node("n1", "10.2.0.0/24"));
    watch.deleted("n1");
    watch.upserted(node("n1", "10.1.0.0/24"));
    watch.deleted("n1");

    assertThat(warnings())
        .hasSize(3)
        .allMatch(text -> text.contains("The node's blocks changed") && text.contains("/24]"))
        .anySatisfy(text -> assertThat(text).contains("now=spec.ipam.podCIDRs of node n1 gives"));
    assertThat(found()).contains(List.of(Cidr.parse("10.1.0.0/24")));
  }
}

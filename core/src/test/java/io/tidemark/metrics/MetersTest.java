package io.tidemark.metrics;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Metric.Prefix;
import io.tidemark.time.TriggerObserver;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What a scrape shows of meters")
class MetersTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Scrape scrape = new Scrape();
  private final Meters meters = new Meters(scrape.registry);

  @Test
  @DisplayName("node-manager 7: every metric of the table has its name, type and labels")
  void table() {
    TriggerObserver trigger = meters.trigger(Prefix.IPAM, "k8s_sync");
    trigger.queued();
    trigger.ran(SECOND, SECOND, 1);
    Map<String, String> types = new TreeMap<>();
    for (Metric metric : Metric.values()) {
      String name = metric.prefix().text() + metric.suffix();
      if (metric.prefix() == Prefix.TRIGGER) {
        name = "cilium_operator_ipam_k8s_sync_" + metric.suffix();
      } else {
        TestMeters.use(meters, metric);
      }
      String type =
          switch (metric.shape()) {
            case GAUGE, SUM -> "gauge";
            case COUNTER -> "counter";
            default -> "histogram";
          };
      types.put(name, type);
      String labels =
          metric.labels().stream().sorted().map(each -> each + "=\"a\"").collect(joining(","));
      assertThat(scrape.samples(name + (type.equals("histogram") ? "_count" : "")))
          .contains(
              name
                  + (type.equals("histogram") ? "_count" : "")
                  + (labels.isEmpty() ? "" : "{" + labels + "}")
                  + (type.equals("histogram") ? " 1" : " 1.0"));
    }
    Map<String, String> found = scrape.types();
    types.keySet().forEach(each -> found.remove(each + "_max"));
    assertThat(found).isEqualTo(types);
  }

  @Test
  @DisplayName("C-36 counts, sums and times add up, each label for itself; of settings the last")
  void counts() {
    meters.gauge(Metric.IP_ALLOCATION_OPS, "s1").add(10);
    meters.gauge(Metric.IP_ALLOCATION_OPS, "s1").add(20);
    meters.gauge(Metric.IP_ALLOCATION_OPS, "s2").add(4);
    meters.record(Metric.RELEASE_DURATION, SECOND, "releaseIP", "success", "s1");
    meters.record(Metric.RELEASE_DURATION, SECOND.multipliedBy(2), "releaseIP", "success", "s1");
    meters.record(Metric.RELEASE_DURATION, SECOND, "releaseIP", "failed", "s1");
    meters.count(Metric.SYNC_CONFLICTS);
    meters.count(Metric.SYNC_CONFLICTS);
    meters.gauge(Metric.CACHE_AGE).set(Duration.ofMinutes(1));
    meters.gauge(Metric.CACHE_AGE).set(Duration.ofMillis(1500));
    String release = "cilium_operator_ipam_release_duration_seconds_";
    assertThat(scrape.samples("cilium_operator_ipam_"))
        .contains(
            "cilium_operator_ipam_ip_allocation_ops{subnet_id=\"s1\"} 30.0",
            "cilium_operator_ipam_ip_allocation_ops{subnet_id=\"s2\"} 4.0",
            release + "count{status=\"success\",subnet_id=\"s1\",type=\"releaseIP\"} 2",
            release + "sum{status=\"success\",subnet_id=\"s1\",type=\"releaseIP\"} 3.0",
            release + "count{status=\"failed\",subnet_id=\"s1\",type=\"releaseIP\"} 1",
            "cilium_operator_ipam_sync_conflicts_total 2.0",
            "cilium_operator_ipam_cache_age_seconds 1.5");
  }

  @Test
  @DisplayName("C-36 A duration below a second counts from the first bound that it reaches on")
  void partsOfSeconds() {
    meters.record(Metric.BACKGROUND_SYNC_DURATION, Duration.ofMillis(300), "success");
    meters.trigger(Prefix.IPAM, "resync").ran(Duration.ofMillis(6), Duration.ofMillis(5), 1);
    assertThat(bucket("background_sync_duration", "0.25")).endsWith(" 0");
    assertThat(bucket("background_sync_duration", "0.5")).endsWith(" 1");
    assertThat(bucket("resync_duration", "0.005")).endsWith(" 0");
    assertThat(bucket("resync_duration", "0.025")).endsWith(" 1");
    assertThat(bucket("resync_latency", "0.005")).endsWith(" 1");
  }

  private String bucket(String name, String bound) {
    return scrape.samples("cilium_operator_ipam_" + name + "_seconds_bucket{").stream()
        .filter(each -> each.contains("le=\"" + bound + "\""))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("node-manager 7: bounds of the histograms")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TRIGGER_DURATION     | 0.005 0.025 0.05 0.1 0.2 0.4 0.6 0.8 1.0 1.25 1.5 2.0 3.0 4.0 5.0 6.0 8.0 10.0 15.0 20.0 30.0 45.0 60.0
          API_DURATION         | 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1.0 2.5 5.0 10.0
          STORE_REUSE_DISTANCE | 10.0 30.0 60.0 120.0 130.0 180.0 300.0 1800.0 3600.0 21600.0 86400.0
          STORE_BATCH_SIZE     | 1.0 2.0 4.0 8.0 16.0 32.0 64.0 128.0 256.0
          CIDRSET_TRIES        | 1.0 5.0 25.0 125.0 625.0
          """)
  void bounds(Metric metric, String bounds) {
    TestMeters.use(meters, metric);
    String name = metric.prefix().text() + metric.suffix() + "_bucket{";
    assertThat(
            scrape.samples(name).stream()
                .map(line -> line.replaceAll(".*le=\"([^\"]+)\".*", "$1"))
                .collect(joining(" ")))
        .isEqualTo(bounds + " +Inf");
  }

  @Test
  @DisplayName("F-18 what belongs to a subnet goes with it, and begins anew with it")
  void removed() {
    for (String each : List.of("s1", "s2")) {
      meters.gauge(Metric.AVAILABLE_IPS_PER_SUBNET, each, "z1").set(9);
      meters.gauge(Metric.IP_ALLOCATION_OPS, each).add(4);
      meters.record(Metric.RELEASE_DURATION, SECOND, "releaseIP", "success", each);
    }
    meters.removeLabelled("subnet_id", "s1");
    assertThat(scrape.samples("cilium_operator_ipam_"))
        .isNotEmpty()
        .noneMatch(line -> line.contains("s1"));
    meters.gauge(Metric.IP_ALLOCATION_OPS, "s1").add(5);
    assertThat(scrape.samples("cilium_operator_ipam_ip_allocation_ops{subnet_id=\"s1\"}"))
        .containsExactly("cilium_operator_ipam_ip_allocation_ops{subnet_id=\"s1\"} 5.0");
  }

  @Test
  @DisplayName("The prefixes of the node manager and of requests to the cloud are settings")
  void prefixes() {
    Meters own = new Meters(scrape.registry, "my_ipam_", "my_azure_");
    own.count(Metric.RESYNC_TOTAL);
    own.count(Metric.API_RETRIES, "GetNic");
    own.trigger(Prefix.IPAM, "resync").queued();
    own.trigger(Prefix.AGENT, "ipam_sync").queued();
    assertThat(scrape.samples(""))
        .contains(
            "my_ipam_resync_total 1.0",
            "my_azure_api_retries_total{operation=\"GetNic\"} 1.0",
            "my_ipam_resync_queued_total 1.0",
            "cilium_ipam_sync_queued_total 1.0");
  }

  @Test
  @DisplayName(
      "A counter that is asked is there after a collection of garbage; the last one counts")
  void asked() {
    meters.functionCounter(Metric.RESYNC_TOTAL, () -> 1);
    LongAdder sum = new LongAdder();
    meters.functionCounter(Metric.RESYNC_TOTAL, sum::sum);
    WeakReference<Object> collected = new WeakReference<>(new Object());
    for (int i = 0; i < 100 && !collected.refersTo(null); i++) {
      System.gc();
    }
    sum.add(7);
    assertThat(scrape.samples("cilium_operator_ipam_resync_total"))
        .containsExactly("cilium_operator_ipam_resync_total 7.0");
  }

  @Test
  @DisplayName("Series that come and go are those of the last look, which is before each scrape")
  void series() {
    Map<List<String>, Number> now = new HashMap<>(Map.of(List.of("pods"), 1.5));
    Meters.Series ages = meters.series(Metric.WATCH_AGE);
    meters.beforeScrape(() -> ages.show(now));
    meters.refresh();
    now.remove(List.of("pods"));
    now.put(List.of("nodes"), 2);
    assertThat(scrape.samples("tidemark_watch_"))
        .containsExactly("tidemark_watch_age_seconds{kind=\"pods\"} 1.5");
    meters.refresh();
    assertThat(scrape.samples("tidemark_watch_"))
        .containsExactly("tidemark_watch_age_seconds{kind=\"nodes\"} 2.0");
  }

  @Test
  @DisplayName("Without metrics nothing is counted, and each meter can be used")
  void none() {
    Meters none = Meters.none();
    for (Metric each : Metric.values()) {
      TestMeters.use(none, each);
    }
    none.trigger(Prefix.IPAM, "resync").ran(SECOND, SECOND, 1);
    none.beforeScrape(
        () -> {
          throw new IllegalStateException("nobody scrapes");
        });
    none.refresh();
    assertThat(none.isNone()).isTrue();
    assertThat(none.counter(Metric.RESYNC_TOTAL).count()).isZero();
  }
}

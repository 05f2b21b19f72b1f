package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.PoolMetadata.Answer;
import io.tidemark.ip.IpFamily;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Pools by annotations (allocators 8)")
class AnnotatedPoolsTest {
  private static final String PREFIX = "ipam.cilium.io/";

  /** Annotations are written {@code key=value}; a dash stands for an object that is not known. */
  @ParameterizedTest(name = "A62 {5}")
  @CsvSource(
      delimiter = '|',
      value = {
        "team/a | IPV4 | '' | '' | default | no annotation",
        "router | IPV4 | - | - | default | a name that is no pod's",
        "default/xwing_net2 | IPV4 | - | - | default | a name that no pod can have",
        "team/a | IPV4 | ip-pool=any | '' | any | one pool for both, asked for IPv4",
        "team/a | IPV6 | ip-pool=any | '' | any | one pool for both, asked for IPv6",
        "team/a | IPV4 | ipv4-pool=four | '' | four | a pool for IPv4 alone",
        "team/a | IPV6 | ipv4-pool=four | '' | default | a pool for the other family",
        "team/a | IPV4 | ipv4-pool=four ip-pool=any | '' | four | the family's goes first",
        "team/a | IPV6 | ipv4-pool=four ip-pool=any | '' | any | the other family has the rest",
        "team/a | IPV4 | ipv4-pool=four ipv6-pool=six | '' | four | a pool for each, IPv4",
        "team/a | IPV6 | ipv4-pool=four ipv6-pool=six | '' | six | a pool for each, IPv6",
        "team/a | IPV6 | ipv4-pool=four ipv6-pool=six ip-pool=any | '' | six | all three",
        "team/a | IPV4 | - | ip-pool=any | pod team/a is not known | a pod that is not known",
        "team/a | IPV4 | '' | - | namespace team is not known | a namespace that is not known",
        "team/a | IPV4 | ip-pool=any | - | any | a pod that says it needs no namespace",
        "team/a | IPV4 | '' | ip-pool=ns | ns | the namespace's, when the pod has none",
        "team/a | IPV4 | ip-pool=any | ipv4-pool=ns | any | any of the pod goes first",
        "team/a | IPV4 | ipv4-pool= ip-pool= | ip-pool=ns | ns | an empty one does not count",
        "team/a/b | IPV4 | - | - | default | a name with two slashes",
        "/a | IPV4 | - | - | default | a name without a namespace",
        "team/ | IPV4 | - | - | default | a name without a pod",
        "team/a- | IPV4 | - | - | default | a name that ends with a dash",
        "team/a..b | IPV4 | - | - | default | a name with an empty part",
        "team/a--b.c | IPV4 | ip-pool=any | '' | any | a name with dashes and parts",
      })
  void table(
      String owner, IpFamily family, String pod, String namespace, String expected, String why) {
    Answer answer = pools(pod, namespace).poolOf(owner, family);

    Answer wanted =
        expected.contains("not known")
            ? new Answer.Unknown(expected)
            : expected.equals("default") ? new Answer.Default() : new Answer.Named(expected);
    assertThat(answer).as(why).isEqualTo(wanted);
  }

  private static AnnotatedPools pools(String pod, String namespace) {
    return new AnnotatedPools(
        new AnnotatedPools.Source() {
          @Override
          public Optional<Map<String, String>> ofPod(String of, String name) {
            return annotations(pod);
          }

          @Override
          public Optional<Map<String, String>> ofNamespace(String name) {
            return annotations(namespace);
          }
        });
  }

  private static Optional<Map<String, String>> annotations(String text) {
    if (text.equals("-")) {
      return Optional.empty();
    }
    Map<String, String> all = new HashMap<>();
    for (String each : text.split(" ", -1)) {
      if (!each.isEmpty()) {
        int equals = each.indexOf('=');
        all.put(PREFIX + each.substring(0, equals), each.substring(equals + 1));
        assertThat(AnnotatedPools.isRead(PREFIX + each.substring(0, equals))).isTrue();
      }
    }
    return Optional.of(all);
  }

  @Test
  @DisplayName("A62 A name that is longer than any pod's is no pod's, however it is written")
  void longNames() {
    AnnotatedPools none = pools("-", "-");
    assertThat(none.poolOf("team/" + "a".repeat(253), IpFamily.IPV4))
        .isInstanceOf(Answer.Unknown.class);
    assertThat(none.poolOf("team/" + "a".repeat(254), IpFamily.IPV4))
        .isEqualTo(new Answer.Default());
    assertThat(none.poolOf("team/" + "a.".repeat(1 << 20), IpFamily.IPV4))
        .isEqualTo(new Answer.Default());
    assertThat(AnnotatedPools.isRead("ipam.cilium.io/other")).isFalse();
  }

  @Test
  @DisplayName("A63 Without metadata every owner, also one without a name, prefers no pool")
  void none() {
    for (String owner : new String[] {"", "router", "team/a"}) {
      assertThat(PoolMetadata.NONE.poolOf(owner, IpFamily.IPV6)).isEqualTo(new Answer.Default());
    }
    assertThat(pools("ip-pool=any", "").poolOf("", IpFamily.IPV4)).isEqualTo(new Answer.Default());
  }
}

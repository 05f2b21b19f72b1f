package io.tidemark.kubernetes.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.kubernetes.ClusterConnection;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A list of CiliumNodes, counted for a migration")
class PoolCensusJsonTest {
  @Test
  @DisplayName("counts pools, CIDRs, used addresses, releases, and used addresses out of the pool")
  void counted() {
    ClusterConnection.Page<PoolCensus> page =
        PoolCensusJson.read(
            """
            {"metadata":{"continue":"more"},"items":[
             {"metadata":{"name":"a"},"spec":{"ipam":{"pool":{"10.0.0.1":{},"10.0.0.2":{}}}},
              "status":{"ipam":{"used":{"10.0.0.1":{}},"release-ips":{"10.0.0.2":"released"}}}},
             {"metadata":{"name":"b"},"spec":{"ipam":{"pool":{"10.0.0.3":{}}}},
              "status":{"ipam":{"used":{"10.0.0.3":{},"10.0.0.4":{}}}}},
             {"metadata":{"name":"c"},"spec":{"ipam":{"podCIDRs":["10.1.0.0/24"]}},
              "status":{"ipam":{"used":{"10.1.0.9":{}}}}},
             {"metadata":{"name":"d"},"spec":{}}]}
            """);
    assertThat(page.next()).isEqualTo("more");
    assertThat(page.content()).isEqualTo(new PoolCensus(4, 3, 4, 1, List.of("b"), 1));
    PoolCensus twice = page.content().plus(page.content());
    assertThat(twice).isEqualTo(new PoolCensus(8, 6, 8, 2, List.of("b", "b"), 2));
  }

  @Test
  @DisplayName("reports an answer that is cut off")
  void cutOff() {
    assertThatThrownBy(() -> PoolCensusJson.read("{\"items\":["))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("not valid JSON");
  }
}

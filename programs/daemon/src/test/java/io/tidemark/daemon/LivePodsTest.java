package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.ip.IpAddress;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Sandboxes by the links of the host")
class LivePodsTest {
  @ParameterizedTest(name = "D80 {0}/{1} with links {2}: {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          default | sample-pod | lo eth0 eniHASH    | true
          default | sample-pod | otherprefixHASH    | true
          default | sample-pod | HASH               | true
          default | sample-pod | lo eth0 eniHASHx   | false
          default | sample-pod | eni00000000000 vl1 | false
          ''      | sample-pod | lo                 | true
          default | ''         | lo                 | true
          """)
  void alive(String namespace, String name, String links, boolean expected) {
    CheckpointEntry entry =
        CheckpointEntry.of(
            new IpamKey("aws-cni", "a", "eth0"),
            IpAddress.parse("10.0.0.7"),
            1,
            new IpamMetadata(namespace, name, 1));
    String names = links.replace("HASH", "cc21c2d7785");
    assertThat(LivePods.withLinks(Arrays.asList(names.split(" ", -1))).test(entry))
        .isEqualTo(expected);
  }
}

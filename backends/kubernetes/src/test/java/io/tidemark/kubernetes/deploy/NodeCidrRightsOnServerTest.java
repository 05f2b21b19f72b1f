package io.tidemark.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.kubernetes.deploy.Rights.Right;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("kubernetes")
@Tag("long")
@DisplayName(
    "The rights of deploy/node-cidr: all that is asked for is allowed, and nothing is too much")
class NodeCidrRightsOnServerTest {
  private static NodesRights program;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    program =
        new NodesRights(
            Manifests.NODE_CIDR,
            folder,
            (nodes, node, number) ->
                nodes.assignPodCidrs(
                    node.name(), node.uid(), List.of(Cidr.parse("10.9." + number + ".0/24"))));
  }

  @AfterAll
  static void stop() {
    program.close();
  }

  static Stream<Right> all() throws IOException {
    return Rights.all(Manifests.NODE_CIDR).stream();
  }

  @Test
  @DisplayName("NC-AM38 allow everything that is done with nodes, the lease and Events")
  void enough() throws Exception {
    for (String each : List.of("nodes", "leases", "events")) {
      assertThat(program.rights.complaints(program.use(each))).as(each).isEmpty();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  @DisplayName("NC-AM38 each is needed, and its lack is named in words")
  void needed(Right right) throws Exception {
    program.rights.assertNeeded(right, program.use(right.resource()));
  }
}

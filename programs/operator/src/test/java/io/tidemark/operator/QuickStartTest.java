package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.operator.Program.Result;
import io.tidemark.testing.Repository;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kubernetes")
@DisplayName("The quick start of docs/kubernetes.md")
class QuickStartTest {
  private static final String PROPERTY = "kubeconfig";
  private static final String APPLY = "kubectl apply -f ";
  private final String before = System.getProperty(PROPERTY, "");

  @AfterEach
  void restore() {
    if (before.isEmpty()) {
      System.clearProperty(PROPERTY);
    } else {
      System.setProperty(PROPERTY, before);
    }
  }

  @Test
  @DisplayName("does command by command what the page says, in the cluster of KUBECONFIG")
  void commands() throws Exception {
    try (ApiServer server = ApiServer.start();
        ClusterConnection admin = server.connect(User.ADMIN)) {
      String kubeconfig = server.kubeconfig(User.ADMIN).toString();
      System.setProperty(PROPERTY, kubeconfig); // the client library reads it like the variable
      CiliumNodes nodes = new CiliumNodes(admin);
      int done = 0;
      for (String command : commandsOf(Repository.text("docs/kubernetes.md"))) {
        if (command.startsWith(APPLY)) {
          nodes.create(json(Repository.text(command.substring(APPLY.length()))));
        } else if (command.startsWith("./tidemark ")) {
          Result result =
              Program.run(
                      Map.of("KUBECONFIG", kubeconfig),
                      command.substring("./tidemark ".length()).split(" ", -1))
                  .ends(0);
          assertThat(result.out()).contains("worker-a");
        } else {
          assertThat(command).isEqualTo("kubectl get ciliumnode worker-a -o yaml");
          assertThat(nodes.node("worker-a").pool().size()).isEqualTo(8);
        }
        done++;
      }
      assertThat(done).isEqualTo(4);
      assertThat(admin.client().leases().inNamespace("default").withName("tidemark-operator").get())
          .as("the namespace that the context names")
          .isNotNull();
    }
  }

  private static List<String> commandsOf(String page) {
    String block = page.substring(page.indexOf("<!-- quick start -->\n```sh\n"));
    return block.lines().skip(2).takeWhile(line -> !line.equals("```")).toList();
  }

  private static String json(String yaml) {
    return new KubernetesSerialization().unmarshal(yaml, JsonNode.class).toString();
  }
}

package io.tidemark.kubernetes.deploy;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.IOException;
import java.util.List;

/** The JVM of the operator as {@code deploy/base} sets it. */
public final class DeployedJava {
  private DeployedJava() {}

  /** Its options, one by one. */
  public static List<String> options() throws IOException {
    Deployment deployment = (Deployment) Manifests.only("Deployment").typed();
    return deployment.getSpec().getTemplate().getSpec().getContainers().get(0).getEnv().stream()
        .filter(each -> each.getName().equals("JAVA_TOOL_OPTIONS"))
        .map(EnvVar::getValue)
        .flatMap(value -> List.of(value.strip().split("\\s+")).stream())
        .toList();
  }
}

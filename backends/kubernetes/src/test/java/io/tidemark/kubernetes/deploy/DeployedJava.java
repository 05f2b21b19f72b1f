package io.tidemark.kubernetes.deploy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The JVM of the operator as {@code deploy/base} sets it, its share of memory included. */
public final class DeployedJava {
  private DeployedJava() {}

  /** Its options, one by one; percentages are of the container's limit. */
  public static List<String> options() throws IOException {
    Deployment deployment = (Deployment) Manifests.OPERATOR.only("Deployment").typed();
    Container container = deployment.getSpec().getTemplate().getSpec().getContainers().get(0);
    Quantity limit = container.getResources().getLimits().get("memory");
    List<String> options = new ArrayList<>();
    options.add("-XX:MaxRAM=" + Quantity.getAmountInBytes(limit).toBigInteger());
    container.getEnv().stream()
        .filter(each -> each.getName().equals("JAVA_TOOL_OPTIONS"))
        .map(EnvVar::getValue)
        .flatMap(value -> Stream.of(value.strip().split("\\s+")))
        .forEach(options::add);
    return options;
  }
}

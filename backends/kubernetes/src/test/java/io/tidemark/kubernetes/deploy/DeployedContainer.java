package io.tidemark.kubernetes.deploy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The container of the operator as {@code deploy/base} restricts it. */
public final class DeployedContainer {
  private final PodSpec pod;
  private final Container container;

  private DeployedContainer(PodSpec pod) {
    this.pod = pod;
    this.container = pod.getContainers().get(0);
  }

  /** That of {@code deploy/base}. */
  public static DeployedContainer read() throws IOException {
    Deployment deployment = (Deployment) Manifests.OPERATOR.only("Deployment").typed();
    return new DeployedContainer(deployment.getSpec().getTemplate().getSpec());
  }

  /** The options of {@code podman run} for the same restrictions and the same memory. */
  public List<String> podmanOptions() {
    List<String> options = new ArrayList<>();
    SecurityContext security = container.getSecurityContext();
    if (Boolean.TRUE.equals(security.getReadOnlyRootFilesystem())) {
      options.add("--read-only");
    }
    if (Boolean.FALSE.equals(security.getAllowPrivilegeEscalation())) {
      options.add("--security-opt=no-new-privileges");
    }
    security.getCapabilities().getDrop().forEach(each -> options.add("--cap-drop=" + each));
    options.add("--user=" + pod.getSecurityContext().getRunAsUser());
    Quantity memory = container.getResources().getLimits().get("memory");
    options.add("--memory=" + Quantity.getAmountInBytes(memory).toBigInteger());
    return options;
  }

  /** The options of its JVM. */
  public String javaOptions() {
    return container.getEnv().stream()
        .filter(each -> each.getName().equals("JAVA_TOOL_OPTIONS"))
        .map(EnvVar::getValue)
        .findFirst()
        .orElseThrow();
  }
}

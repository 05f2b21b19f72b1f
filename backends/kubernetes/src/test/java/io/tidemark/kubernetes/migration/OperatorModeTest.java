package io.tidemark.kubernetes.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The mode of a Deployment of cilium-operator")
class OperatorModeTest {
  private static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: cilium-operator, namespace: kube-system}
      spec:
        template:
          spec:
            containers:
            - {name: mesh, image: mesh}
            - name: cilium-operator
              image: operator-aws
              args: [%s]
              env: [%s]
      """;

  @ParameterizedTest(name = "args [{0}], env [{1}]: {2}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          --config-dir=/c                    | '{name: CILIUM_DEBUG, value: "1"}'              | -
          --config-dir=/c                    | '{name: CILIUM_IPAM, value: crd}'               | crd
          --ipam=eni                         | '{name: CILIUM_IPAM, value: crd}'               | eni
          '"--ipam", crd'                    | ''                                              | crd
          '--ipam=crd, --ipam=eni'           | ''                                              | eni
          --config-dir=/c                    | '{name: CILIUM_IPAM, valueFrom: {fieldRef: {fieldPath: a}}}' | -
          """)
  @DisplayName("is that of its last argument --ipam, else of CILIUM_IPAM, else unknown")
  void mode(String arguments, String environment, String mode) {
    OperatorDeployment read =
        OperatorDeployment.of(
            Serialization.unmarshal(
                DEPLOYMENT.formatted(arguments, environment), Deployment.class));

    assertThat(read.ipam().orElse(null)).isEqualTo(mode);
    assertThat(read.ipamIsArgument()).isEqualTo(arguments.contains("--ipam"));
    assertThat(read.container()).isEqualTo("cilium-operator");
  }
}

package io.tidemark.provider.azure.network;

/** Interfaces as Azure's answers have them. */
public final class InterfaceTexts {
  private InterfaceTexts() {}

  /** The interface in the body of an answer. */
  public static AzureNetworkInterface read(String json) {
    try {
      return AnswersJson.only(
          ResourceId.of("/subscriptions/s/resourceGroups/g/providers/a/b/c"),
          json,
          InterfacesJson::networkInterface);
    } catch (ArmFailure failure) {
      throw new AssertionError(failure);
    }
  }
}

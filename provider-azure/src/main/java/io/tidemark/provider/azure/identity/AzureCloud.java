package io.tidemark.provider.azure.identity;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * One of Azure's clouds, or one with endpoints of its own (6.3).
 *
 * @param resourceManager scheme, host and port
 * @param authority where tokens come from
 */
public record AzureCloud(String name, URI resourceManager, URI authority) {
  /** The clouds that are known by name. */
  public static final List<AzureCloud> KNOWN =
      List.of(
          known("AzurePublicCloud", "management.azure.com", "login.microsoftonline.com"),
          known(
              "AzureUSGovernmentCloud", "management.usgovcloudapi.net", "login.microsoftonline.us"),
          known("AzureChinaCloud", "management.chinacloudapi.cn", "login.chinacloudapi.cn"));

  private static AzureCloud known(String name, String resourceManager, String authority) {
    return new AzureCloud(
        name, URI.create("https://" + resourceManager), URI.create("https://" + authority));
  }

  /** The cloud of this name, in any case; empty when it is not known. */
  public static Optional<AzureCloud> ofName(String name) {
    return KNOWN.stream().filter(each -> each.name().equalsIgnoreCase(name)).findFirst();
  }

  /** The same cloud with another authority. */
  public AzureCloud withAuthority(URI other) {
    return new AzureCloud(name, resourceManager, other);
  }

  /** The scope of tokens. */
  public String scope() {
    String text = resourceManager.toString();
    return (text.endsWith("/") ? text.substring(0, text.length() - 1) : text) + "/.default";
  }
}

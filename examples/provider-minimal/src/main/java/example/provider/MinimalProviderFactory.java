package example.provider;

import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.Option;
import io.tidemark.config.Options;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ProviderFactory;
import java.net.URI;
import java.util.List;

/** Creates the provider {@code minimal}; named in {@code META-INF/services}. */
public final class MinimalProviderFactory implements ProviderFactory {
  private static final Options ALL = new Options();

  static final Option<String> ENDPOINT =
      ALL.text(
          "minimal-endpoint",
          "http://localhost:8080",
          "https?://[^ ?#]+",
          "a URL such as https://machines.example",
          "URL of the API");

  @Override
  public String name() {
    return "minimal";
  }

  @Override
  public List<Option<?>> settings() {
    return ALL.all();
  }

  @Override
  public AllocationImplementation create(ProviderContext context) {
    ConfigProblems problems = new ConfigProblems();
    String endpoint = ENDPOINT.read(new ConfigReader(context.config(), problems));
    problems.throwIfAny();
    return new MinimalProvider(new HttpMachines(URI.create(endpoint)), context);
  }
}

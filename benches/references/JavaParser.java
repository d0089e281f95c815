import com.sun.source.util.JavacTask;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Tells whether the parser of javac accepts each file named on the standard input. Names are not resolved. Run as {@code java JavaParser.java}. */
final class JavaParser {
    public static void main(String[] arguments) throws Exception {
        var names = new BufferedReader(new InputStreamReader(System.in));
        for (String name = names.readLine(); name != null; name = names.readLine()) {
            System.out.println(firstError(Files.readString(Path.of(name))).map(each -> "error: " + each).orElse("ok"));
        }
    }

    private static Optional<String> firstError(String text) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        var found = new DiagnosticCollector<JavaFileObject>();
        var options = List.of("--release", "17", "-proc:none");
        var task = (JavacTask) compiler.getTask(null, null, found, options, null, List.of(new Text(text)));
        task.parse();
        return found.getDiagnostics().stream().filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
            .map(each -> each.getMessage(null).replace('\n', ' ')).findFirst();
    }

    private static final class Text extends SimpleJavaFileObject {
        private final String text;

        Text(String text) {
            super(URI.create("string:///Text.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}

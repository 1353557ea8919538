// What the C# compiler made of the calls of a folder: `mono Truth.exe LIBRARY FOLDER`, of a library that mcs has built with its
// debug file. A line of `call` or `new` is the file and line of a call, the file and line of what it runs, its name, and `body`
// where the call is certainly written there; one of `unsure` leads to something of the library that has no code, and so no
// place; one of `or` says what else the call before it may mean. What leads out of the library is in none of them.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Mono.Cecil;
using Mono.Cecil.Cil;

static class Truth
{
    const int hidden = 0xfeefee;
    static string root;
    static readonly Dictionary<MethodDefinition, List<MethodDefinition>> overrides = new Dictionary<MethodDefinition, List<MethodDefinition>>();

    static void Main(string[] args)
    {
        root = Path.GetFullPath(args[1]).TrimEnd('/') + "/";
        var module = ModuleDefinition.ReadModule(args[0], new ReaderParameters { ReadSymbols = true });
        foreach (var type in All(module.Types))
            foreach (var method in type.Methods.Where(method => method.HasBody))
                SayCalls(method);
    }

    static IEnumerable<TypeDefinition> All(IEnumerable<TypeDefinition> types)
    {
        return types.SelectMany(type => new[] { type }.Concat(All(type.NestedTypes)));
    }

    static void SayCalls(MethodDefinition method)
    {
        SequencePoint at = null;
        foreach (var step in method.Body.Instructions)
        {
            if (IsShown(step.SequencePoint)) at = step.SequencePoint;
            var called = step.Operand as MethodReference;
            if (at == null || called == null || called.DeclaringType.Scope != method.Module) continue;
            var target = called.Resolve();
            if (target == null || target.Name.Contains("<") || target.DeclaringType.Name.Contains("<")) continue;
            // A function that is passed on is not called here.
            if (step.OpCode == OpCodes.Ldftn || step.OpCode == OpCodes.Ldvirtftn || step.OpCode == OpCodes.Ldtoken) continue;
            Say(step, at, target);
        }
    }

    static void Say(Instruction step, SequencePoint at, MethodDefinition target)
    {
        var name = (target.IsConstructor ? target.DeclaringType : (MemberReference)target).Name.Split('`')[0].Split('.').Last();
        var to = PlaceOf(target);
        // Accessors and operators have no call in the source; a constructor without arguments runs the one above it unasked.
        var isImplied = target.IsConstructor ? step.OpCode == OpCodes.Call && target.Parameters.Count == 0 : target.IsSpecialName;
        if (to == null)
        {
            Print("unsure", FileOf(at), at.StartLine, "", 0, name, "");
            return;
        }
        Print(target.IsConstructor ? "new" : "call", FileOf(at), at.StartLine, FileOf(to), to.StartLine, name, isImplied ? "" : "body");
        foreach (var other in OverridesOf(target).Select(PlaceOf).Where(place => place != null))
            Print("or", FileOf(other), other.StartLine, name);
    }

    // What is called on a class is written into the library as the first of all that override each other.
    static IEnumerable<MethodDefinition> OverridesOf(MethodDefinition target)
    {
        if (!target.IsVirtual) return new MethodDefinition[0];
        List<MethodDefinition> found;
        if (overrides.TryGetValue(target, out found)) return found;
        found = All(target.Module.Types)
            .Where(type => IsBelow(type, target.DeclaringType))
            .SelectMany(type => type.Methods)
            .Where(method => method.IsVirtual && method.IsReuseSlot && IsAlike(method, target))
            .ToList();
        overrides[target] = found;
        return found;
    }

    static bool IsBelow(TypeDefinition type, TypeDefinition above)
    {
        for (var at = type.BaseType; at != null; at = at.Resolve().BaseType)
        {
            if (at.Resolve() == above) return true;
            if (at.Scope != type.Module) return false;
        }
        return false;
    }

    static bool IsAlike(MethodDefinition one, MethodDefinition other)
    {
        return one.Name == other.Name
            && one.Parameters.Select(each => each.ParameterType.Name).SequenceEqual(other.Parameters.Select(each => each.ParameterType.Name));
    }

    // Where a method ends, since a constructor begins with the fields of its class.
    static SequencePoint PlaceOf(MethodDefinition method)
    {
        var own = Last(method);
        if (own != null) return own;
        // What yields or awaits has its code in a class of its own.
        var moved = method.DeclaringType.NestedTypes
            .Where(type => type.Name.StartsWith("<" + method.Name + ">"))
            .SelectMany(type => type.Methods)
            .Select(Last)
            .FirstOrDefault(point => point != null);
        if (moved != null || !method.IsConstructor) return moved;
        return method.DeclaringType.Methods.Select(Last).FirstOrDefault(point => point != null);
    }

    static SequencePoint Last(MethodDefinition method)
    {
        if (!method.HasBody) return null;
        return method.Body.Instructions.Select(step => step.SequencePoint).LastOrDefault(IsShown);
    }

    static bool IsShown(SequencePoint point)
    {
        return point != null && point.StartLine != hidden && point.StartLine > 0;
    }

    static string FileOf(SequencePoint point)
    {
        return Path.GetFullPath(point.Document.Url).Replace(root, "");
    }

    static void Print(params object[] cells)
    {
        Console.WriteLine(string.Join("\t", cells));
    }
}
